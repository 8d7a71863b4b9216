package nebula_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryExportedNameIsDocumented reads every package. A comment at the head of a group of constants, variables or types speaks for the group.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "sample" || strings.HasPrefix(d.Name(), ".") && path != "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil {
			for _, name := range undocumented(files, file) {
				t.Errorf("%s is exported and has no comment", name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func undocumented(files *token.FileSet, file *ast.File) (names []string) {
	miss := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if c != nil {
				return
			}
		}
		if name.IsExported() {
			names = append(names, files.Position(name.Pos()).String()+": "+name.Name)
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			miss(d.Name, d.Doc)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					miss(s.Name, d.Doc, s.Doc, s.Comment)
				case *ast.ValueSpec:
					miss(s.Names[0], d.Doc, s.Doc, s.Comment)
				}
			}
		}
	}
	return names
}
