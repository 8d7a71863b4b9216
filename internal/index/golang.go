package index

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// goSymbols reads Go with its own parser. What can be parsed of a broken file counts.
func goSymbols(data []byte) []Symbol {
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", data, parser.SkipObjectResolution|parser.ParseComments)
	if file == nil {
		return nil
	}
	g := &goFile{file: set.File(file.FileStart), data: data}
	if g.file == nil {
		return nil
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.declaration(d)
		}
	}
	return g.symbols
}

type goFile struct {
	file    *token.File
	data    []byte
	symbols []Symbol
}

func (g *goFile) line(p token.Pos) int { return g.file.Line(p) }

func (g *goFile) from(doc *ast.CommentGroup, p token.Pos) int {
	if doc != nil {
		return g.line(doc.Pos())
	}
	return g.line(p)
}

// sign is the source from p to end on one line.
func (g *goFile) sign(p, end token.Pos) string {
	from, to := g.file.Offset(p), g.file.Offset(end)
	return signature(g.data[from:min(to, len(g.data))])
}

func signature(text []byte) string {
	text = text[:min(len(text), 4*maxSign)]
	s := strings.Join(strings.Fields(string(bytes.ToValidUTF8(text, nil))), " ")
	if len(s) > maxSign {
		s = strings.ToValidUTF8(s[:maxSign], "") + "…"
	}
	return s
}

func (g *goFile) function(d *ast.FuncDecl) {
	s := Symbol{Name: d.Name.Name, Kind: "func", Line: g.line(d.Pos()), From: g.from(d.Doc, d.Pos()), To: g.line(d.End())}
	end := d.Type.End()
	s.Sign = g.sign(d.Pos(), end)
	if d.Recv != nil && len(d.Recv.List) > 0 {
		s.Kind, s.Parent = "method", receiver(d.Recv.List[0].Type)
	}
	g.symbols = append(g.symbols, s)
}

func receiver(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

func (g *goFile) declaration(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		whole := !d.Lparen.IsValid()
		switch sp := spec.(type) {
		case *ast.TypeSpec:
			from := g.from(sp.Doc, sp.Pos())
			if whole {
				from = g.from(d.Doc, d.Pos())
			}
			s := Symbol{Name: sp.Name.Name, Kind: "type", Line: g.line(sp.Name.Pos()), From: from, To: g.line(sp.End())}
			s.Sign = "type " + g.sign(sp.Pos(), g.head(sp))
			g.symbols = append(g.symbols, s)
			g.methods(sp)
		case *ast.ValueSpec:
			kind := "var"
			if d.Tok == token.CONST {
				kind = "const"
			}
			from := g.from(sp.Doc, sp.Pos())
			if whole {
				from = g.from(d.Doc, d.Pos())
			}
			for _, name := range sp.Names {
				if name.Name == "_" {
					continue
				}
				g.symbols = append(g.symbols, Symbol{Name: name.Name, Kind: kind, Line: g.line(name.Pos()), From: from,
					To: g.line(sp.End()), Sign: kind + " " + firstLine(g.sign(sp.Pos(), sp.End()))})
			}
		}
	}
}

func firstLine(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

// head is where the part of a type ends that is worth showing.
func (g *goFile) head(sp *ast.TypeSpec) token.Pos {
	switch t := sp.Type.(type) {
	case *ast.StructType:
		return t.Fields.Opening
	case *ast.InterfaceType:
		return t.Methods.Opening
	}
	return sp.End()
}

// methods are what an interface asks for.
func (g *goFile) methods(sp *ast.TypeSpec) {
	t, ok := sp.Type.(*ast.InterfaceType)
	if !ok || t.Methods == nil {
		return
	}
	for _, m := range t.Methods.List {
		if _, ok := m.Type.(*ast.FuncType); !ok || len(m.Names) == 0 {
			continue
		}
		g.symbols = append(g.symbols, Symbol{Name: m.Names[0].Name, Kind: "method", Parent: sp.Name.Name, Line: g.line(m.Pos()),
			From: g.from(m.Doc, m.Pos()), To: g.line(m.End()), Sign: g.sign(m.Pos(), m.End())})
	}
}
