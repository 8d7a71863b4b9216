package nebula_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// vague are names that nobody would look for, of functions, methods and types; what a word stands for has one of its own.
var vague = []string{"desk", "stage", "came", "told", "heard", "given", "one", "place"}

// terms are where the field has no other word: a box is placed in a layout, a call in the list that its index names.
var terms = []string{"internal/page/list.go", "internal/terminal/layout.go", "internal/model/chat/calls.go", "internal/model/resolve.go"}

// TestNamesCanBeFoundAndStandOnce reads every package but the protocols, whose words are those of the replies that they read:
// no name is vague, no two packages have a session of their own, and no function stands letter for letter in two packages.
func TestNamesCanBeFoundAndStandOnce(t *testing.T) {
	files, bodies, sessions := token.NewFileSet(), map[string][]string{}, []string{}
	for path, file := range parsed(t, files) {
		for _, d := range file.Decls {
			name, body := declared(d)
			if slices.Contains(vague, name) && !slices.Contains(terms, path) {
				t.Errorf("%s is called %s, which nobody would look for", files.Position(d.Pos()), name)
			}
			if _, ok := d.(*ast.GenDecl); ok && strings.EqualFold(name, "session") {
				sessions = append(sessions, path)
			}
			if body != "" {
				bodies[body] = append(bodies[body], filepath.Dir(path)+"."+name)
			}
		}
	}
	if len(sessions) > 2 { // the agent's, and what a command has opened
		t.Errorf("session is a type of %s", sessions)
	}
	for _, body := range slices.Sorted(maps.Keys(bodies)) {
		if at := bodies[body]; len(at) > 1 {
			t.Errorf("%s are the same: %s", strings.Join(at, ", "), body)
		}
	}
}

func parsed(t *testing.T, files *token.FileSet) map[string]*ast.File {
	all := map[string]*ast.File{}
	for _, p := range packages(t) {
		rel, _ := strings.CutPrefix(p.ImportPath, "nebula/") // of the root too: it has no folder
		if !ours(p) || strings.HasPrefix(rel, "docs/") || strings.HasPrefix(rel, "internal/protocol") {
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			all[rel+"/"+name] = file
		}
	}
	return all
}

// declared is the name of a function, method or type, and what a function of some length is, whatever it calls what is its own.
func declared(d ast.Decl) (name, body string) {
	switch d := d.(type) {
	case *ast.GenDecl:
		if s, ok := d.Specs[0].(*ast.TypeSpec); ok {
			return s.Name.Name, ""
		}
	case *ast.FuncDecl:
		if name = d.Name.Name; d.Body == nil || d.Recv != nil {
			return name, ""
		}
		own := map[*ast.Object]string{} //nolint:staticcheck // names of one function are told apart without types
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Obj != nil && id.Obj.Pos() > d.Pos() && id.Obj.Pos() < d.End() {
				if own[id.Obj] == "" {
					own[id.Obj] = fmt.Sprint("v", len(own))
				}
				id.Name = own[id.Obj]
			}
			return true
		})
		d.Doc, d.Name = nil, ast.NewIdent("f")
		var b bytes.Buffer
		if err := printer.Fprint(&b, token.NewFileSet(), d); err == nil && b.Len() > 80 {
			return name, b.String()
		}
		return name, ""
	}
	return "", ""
}
