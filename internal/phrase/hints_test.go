package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mistakes are the calls that make a mistake of a model, and which of their arguments are its sentence and its hint.
var mistakes = map[string][]int{"nebula.Wrong": {0, 1}, "mistakef": {0, 1}, "moot": {0, 1}, "mistake": {0, 1}, "task.wrong": {0, 1}, "c.refuse": {0, 1}, "c.refuseEdit": {0}, "c.sendBack": {0},
	"c.returned": {0, 1, 2}, "unfit": {1}, "hinted": {1}}

// What a model reads of its mistakes is said in every language, the hints too: each sentence and each hint is a text of the code or a constant, what
// is put together is a format, and all of them are in every table.
func TestEveryHintIsSaidInEveryLanguage(t *testing.T) {
	found := 0
	packages(t, func(at string, files []*ast.File) {
		consts := constants(files)
		for _, file := range files {
			within := map[string]bool{} // what the function around a call is given: its callers are looked at
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					clear(within)
					for _, p := range n.Type.Params.List {
						for _, id := range p.Names {
							within[id.Name] = true
						}
					}
				case *ast.CallExpr:
					for _, i := range asked(filepath.Base(at), n) {
						text, ok := consts.value(n.Args[i])
						id, passed := n.Args[i].(*ast.Ident)
						if passed && (within[id.Name] || id.Name == "hint") {
							continue
						}
						if found++; !ok {
							t.Errorf("%s: an argument of %s is put together; give a format to Then", at, name(n.Fun))
						}
						for _, lang := range Langs()[1:] {
							if _, known := Table(lang).Of(text); !known && letters.MatchString(verbs.ReplaceAllString(text, "")) {
								t.Errorf("%s, %s: nobody says %q", at, lang, text)
							}
						}
					}
				}
				return true
			})
		}
	})
	if found < 250 {
		t.Errorf("only %d were found", found)
	}
}

// asked are the arguments of a call that a model reads.
func asked(at string, call *ast.CallExpr) []int {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Then" {
		return []int{0}
	}
	if id, ok := call.Fun.(*ast.Ident); ok && mistakes[at+"."+id.Name] != nil {
		return mistakes[at+"."+id.Name]
	}
	return mistakes[name(call.Fun)]
}

// texts are the constants of a package.
type texts map[string]ast.Expr

func constants(files []*ast.File) texts {
	all := texts{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == len(v.Values) {
				for i := range v.Names {
					all[v.Names[i].Name] = v.Values[i]
				}
			}
			return true
		})
	}
	return all
}

func (c texts) value(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		if of := c[e.Name]; of != nil {
			return c.value(of)
		}
	case *ast.BinaryExpr:
		x, one := c.value(e.X)
		y, other := c.value(e.Y)
		return x + y, one && other
	}
	return literal(e)
}

// packages hands over the files of each package but their tests.
func packages(t *testing.T, each func(at string, files []*ast.File)) {
	all := map[string][]*ast.File{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "nebulatest") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		all[filepath.Dir(path)] = append(all[filepath.Dir(path)], file)
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatal(len(all), err)
	}
	for _, at := range slices.Sorted(maps.Keys(all)) {
		each(at, all[at])
	}
}
