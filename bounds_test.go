package nebula_test

import (
	"go/ast"
	"go/token"
	"testing"
)

// The bounds of what a reader takes in at once, and of how many owners there are besides goroutines. Tables do not count.
const (
	functionLines = 64
	fileLines     = 450
	mutexes       = 15
)

// TestWhatIsReadAtOnceStaysShort: a longer function or file is two things, and one more mutex is state with no owner.
func TestWhatIsReadAtOnceStaysShort(t *testing.T) {
	locks := 0
	sources(t, func(path string, at *token.FileSet, file *ast.File) {
		long := func(n ast.Node) int { return at.Position(n.End()).Line - at.Position(n.Pos()).Line + 1 }
		lines := at.Position(file.FileEnd).Line
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				if d.Tok == token.VAR || d.Tok == token.CONST {
					lines -= long(d)
				}
			case *ast.FuncDecl:
				if n := long(d); n > functionLines && !table(d) {
					t.Errorf("%s: %s has %d lines, more than %d.", at.Position(d.Pos()), d.Name.Name, n, functionLines)
				}
			}
		}
		if lines > fileLines {
			t.Errorf("%s has %d lines beside its tables, more than %d.", path, lines, fileLines)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && mutex(field.Type) {
				locks += max(1, len(field.Names))
			}
			if v, ok := n.(*ast.ValueSpec); ok && mutex(v.Type) {
				locks += len(v.Names)
			}
			return true
		})
	})
	if locks > mutexes {
		t.Errorf("There are %d mutexes, more than %d: what they hold together could have one owner, or be a value.", locks, mutexes)
	}
	t.Logf("%d mutexes", locks)
}

// table reports whether a function only gives back one literal.
func table(f *ast.FuncDecl) bool {
	if f.Body == nil || len(f.Body.List) != 1 {
		return false
	}
	_, one := f.Body.List[0].(*ast.ReturnStmt)
	return one
}

func mutex(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := sel.X.(*ast.Ident)
	return ok && of.Name == "sync" && (sel.Sel.Name == "Mutex" || sel.Sel.Name == "RWMutex")
}
