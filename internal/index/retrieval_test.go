package index

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula/internal/workspace"
)

// A posed question has one right answer: the file that the comment was taken from.
type posed struct{ text, name, path string }

// goQuestions copies a tree without the doc comments of its exported functions and types and makes questions of some.
func goQuestions(t testing.TB, from, to string, count int) []posed {
	var all []posed
	err := filepath.WalkDir(from, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, p)
		if d.IsDir() {
			if d.Name() == "testdata" || d.Name() == ".git" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(p)
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, "_test.go") && !strings.Contains(rel, "vendor/") {
			all = append(all, undocument(data, filepath.ToSlash(rel))...)
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(count, len(all))]
}

// undocument blanks the doc comments in place and gives their first sentences.
func undocument(data []byte, rel string) (all []posed) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	file := set.File(f.FileStart)
	take := func(doc *ast.CommentGroup, name string) {
		if doc == nil {
			return
		}
		text := doc.Text()
		for i := file.Offset(doc.Pos()); i < file.Offset(doc.End()); i++ {
			if data[i] != '\n' {
				data[i] = ' '
			}
		}
		if !ast.IsExported(name) || ast.IsGenerated(f) {
			return
		}
		if q := sentence(text); len(strings.Fields(q)) >= 6 && !strings.HasPrefix(q, "Deprecated") {
			all = append(all, posed{q, name, rel})
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			take(d.Doc, d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if ts, ok := s.(*ast.TypeSpec); ok {
					take(d.Doc, ts.Name.Name)
					take(ts.Doc, ts.Name.Name)
				}
			}
		}
	}
	return all
}

func sentence(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, ".")
}

// nameless is the question without the name that it is about.
func (q posed) nameless() string {
	var kept []string
	for _, w := range strings.Fields(q.text) {
		if strings.Trim(w, "[]().,:;'\"*") != q.name {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

func TestTune(t *testing.T) {
	root := os.Getenv("NEBULA_TREE")
	if root == "" {
		t.Skip("set NEBULA_TREE")
	}
	to := filepath.Join(os.TempDir(), "nebula-tune", filepath.Base(filepath.Dir(root))+filepath.Base(root))
	os.RemoveAll(to)
	qs := goQuestions(t, root, to, 400)
	dir, err := workspace.Open(to, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	x := New(dir, filepath.Join(t.TempDir(), "x.db"))
	defer x.Close()
	began := time.Now()
	if fresh, err := x.Refresh(context.Background(), time.Hour); err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	fmt.Println("built", len(x.known), "files in", time.Since(began))
	began = time.Now()
	x.at = time.Time{}
	x.Refresh(context.Background(), time.Hour)
	fmt.Println("checked in", time.Since(began))
	for _, kind := range []string{"whole", "nameless"} {
		first, five, slow := 0, 0, time.Duration(0)
		began = time.Now()
		for _, q := range qs {
			text := q.text
			if kind == "nameless" {
				text = q.nameless()
			}
			b := time.Now()
			places, err := x.lookup(text, 10)
			slow = max(slow, time.Since(b))
			if err != nil {
				t.Fatal(err)
			}
			files := []string{}
			for _, p := range places {
				if len(files) == 0 || !contains(files, p.Path) {
					files = append(files, p.Path)
				}
			}
			at := -1
			for i, f := range files {
				if f == q.path {
					at = i
					break
				}
			}
			if at == 0 {
				first++
			}
			if at >= 0 && at < 5 {
				five++
			} else if os.Getenv("SHOW") == kind {
				fmt.Printf("MISS %d %s %s: %s\n   got %v\n", at, q.path, q.name, text, files[:min(3, len(files))])
			}
		}
		fmt.Printf("%s: first %.1f%% five %.1f%% of %d; %v each, slowest %v\n", kind, 100*float64(first)/float64(len(qs)), 100*float64(five)/float64(len(qs)), len(qs), time.Since(began)/time.Duration(len(qs)), slow)
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
