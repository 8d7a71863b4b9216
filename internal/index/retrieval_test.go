package index

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula/internal/sqlite"
)

// A posed question has one right answer: the file that the comment was taken from, or another with the same comment.
type posed struct {
	text, name string
	paths      []string
}

// questions copies a tree without the comments on its functions and types and makes questions of some.
func questions(t testing.TB, from, to string, count int) []posed {
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
		rel = filepath.ToSlash(rel)
		switch {
		case strings.Contains(rel, "vendor/"), strings.HasSuffix(rel, "_test.go"), minified(data):
		case strings.HasSuffix(rel, ".go"):
			all = append(all, undocument(data, rel)...)
		case strings.HasSuffix(rel, ".js"), strings.HasSuffix(rel, ".mjs"), strings.HasSuffix(rel, ".cjs"):
			all = append(all, undocumentScript(data, rel)...)
		case strings.HasSuffix(rel, "ts"): // declarations repeat the comments
			undocumentScript(data, rel)
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	all = distinct(all)
	r := rand.New(rand.NewPCG(7, 7))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(count, len(all))]
}

// distinct joins questions that are the same and drops those that too many files answer.
func distinct(all []posed) []posed {
	at := map[string]int{}
	var out []posed
	for _, q := range all {
		if i, ok := at[q.text]; ok {
			out[i].paths = append(out[i].paths, q.paths...)
			continue
		}
		at[q.text] = len(out)
		out = append(out, q)
	}
	return slices.DeleteFunc(out, func(q posed) bool { return len(q.paths) > 4 })
}

// undocumentScript is undocument for JavaScript: comments that begin with two stars.
func undocumentScript(data []byte, rel string) (all []posed) {
	for at := 0; at < len(data); {
		from := bytes.Index(data[at:], []byte("/**"))
		if from < 0 {
			return all
		}
		from += at
		if at = from + 4; at > len(data) || data[from+3] == '/' {
			continue
		}
		size := bytes.Index(data[from+3:], []byte("*/"))
		if size < 0 {
			return all
		}
		at = from + 3 + size + 2
		var text []string
		for _, l := range strings.Split(string(data[from+3:at-2]), "\n") {
			l = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "*"))
			if l == "" && len(text) > 0 || strings.HasPrefix(l, "@") {
				break
			}
			text = append(text, l)
		}
		next, _, _ := bytes.Cut(bytes.TrimLeft(data[at:], " \t\r\n"), []byte("\n"))
		l := script()
		s := &scanner{l: l, code: []string{string(next)}, source: [][]byte{next}}
		name, kind, ok := s.define(0, string(next)+" ")
		blank(data[from:at])
		q := sentence(strings.Join(text, " "))
		if ok && (kind == "func" || kind == "class") && len(strings.Fields(q)) >= 6 && !strings.ContainsAny(q, "{}") {
			all = append(all, posed{q, name, []string{rel}})
		}
	}
	return all
}

func blank(data []byte) {
	for i := range data {
		if data[i] != '\n' {
			data[i] = ' '
		}
	}
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
		blank(data[file.Offset(doc.Pos()):file.Offset(doc.End())])
		if !ast.IsExported(name) || ast.IsGenerated(f) {
			return
		}
		if q := sentence(text); len(strings.Fields(q)) >= 6 && !strings.HasPrefix(q, "Deprecated") {
			all = append(all, posed{q, name, []string{rel}})
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

// trees are real code to ask about: Go's own source, the largest hand-written module that the module cache has of a few,
// and the JavaScript packages that NEBULA_SCRIPTS names, such as what npm install eslint webpack makes.
func trees(b *testing.B) map[string]string {
	env := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			b.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	all := map[string]string{"go": filepath.Join(env("GOROOT"), "src")}
	for _, pattern := range []string{"golang.org/x/tools@*", "charm.land/bubbletea/*"} {
		if found, _ := filepath.Glob(filepath.Join(env("GOMODCACHE"), pattern)); len(found) > 0 && all["module"] == "" {
			all["module"] = found[len(found)-1]
		}
	}
	all["scripts"] = os.Getenv("NEBULA_SCRIPTS")
	return all
}

// BenchmarkRetrieval asks what doc comments say of the code without the comments: how often the file that the comment is
// from comes first, and among the first five, in percent. Beside it in the same run: the files that have most of the
// question's words (grep), and SQLite's full text search over whole files (fts).
func BenchmarkRetrieval(b *testing.B) {
	for name, tree := range trees(b) {
		b.Run(name, func(b *testing.B) {
			if tree == "" || name == "go" && testing.Short() {
				b.Skip("no such tree here")
			}
			root := b.TempDir()
			posed := questions(b, tree, root, 400)
			x := indexOf(b, root, filepath.Join(b.TempDir(), "x.db"))
			began := time.Now()
			if _, err := x.Refresh(context.Background(), time.Hour); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(began).Seconds(), "s-to-index")
			b.ReportMetric(float64(len(x.known)), "files")
			plain := plainSearches(b, x, root)
			for b.Loop() {
				for kind, ask := range map[string]func(string) []string{"": x.paths, "grep-": plain.grep, "fts-": plain.fts} {
					for _, nameless := range []bool{false, true} {
						judge(b, posed, kind, nameless, ask)
					}
				}
			}
		})
	}
}

// judge asks all questions and reports.
func judge(b *testing.B, all []posed, kind string, nameless bool, ask func(string) []string) {
	first, five := 0, 0
	var took []time.Duration
	for _, q := range all {
		text := q.text
		if nameless {
			text = q.nameless()
		}
		began := time.Now()
		files := ask(text)
		took = append(took, time.Since(began))
		at := slices.IndexFunc(files, func(f string) bool { return slices.Contains(q.paths, f) })
		if at == 0 {
			first++
		}
		if at >= 0 && at < 5 {
			five++
		}
	}
	slices.Sort(took)
	if nameless {
		kind += "nameless-"
	} else {
		b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, kind+"p95-ms")
	}
	b.ReportMetric(100*float64(first)/float64(len(all)), kind+"first-%")
	b.ReportMetric(100*float64(five)/float64(len(all)), kind+"five-%")
}

// paths are the files of an answer.
func (x *Index) paths(text string) []string {
	places, err := x.lookup(text, 10)
	if err != nil {
		panic(err)
	}
	var files []string
	for _, p := range places {
		if !slices.Contains(files, p.Path) {
			files = append(files, p.Path)
		}
	}
	return files
}

// plain are the ways to search that need no index of ours.
type plain struct {
	b     *testing.B
	names []string
	words []map[string]int // of every file
	db    *sqlite.Cache
}

func plainSearches(b *testing.B, x *Index, root string) *plain {
	db, err := sqlite.OpenCache(filepath.Join(b.TempDir(), "fts.db"), "CREATE VIRTUAL TABLE f USING fts5(path, body, tokenize='porter unicode61')")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	p := &plain{b: b, db: db}
	err = db.Transact(func() error {
		for name := range x.known {
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				return err
			}
			words := map[string]int{}
			for w := range strings.FieldsFuncSeq(strings.ToLower(string(data)), func(r rune) bool { return r < 0x80 && kinds[byte(r)] == other }) {
				words[w]++
			}
			p.names, p.words = append(p.names, name), append(p.words, words)
			if err := db.Exec("INSERT INTO f VALUES (?, ?)", name, string(data)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// asked are the words of a question that tell something.
func asked(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 0x80 && kinds[byte(r)] == other })
	return slices.DeleteFunc(words, func(w string) bool { return idle[w] })
}

// grep ranks files by how many words of the question they have, then by how often.
func (p *plain) grep(text string) []string {
	type hit struct{ file, words, times int }
	var hits []hit
	for i, has := range p.words {
		h := hit{file: i}
		for _, w := range asked(text) {
			if n := has[w]; n > 0 {
				h.words++
				h.times += n
			}
		}
		if h.words > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(b.words-a.words, b.times-a.times, a.file-b.file) })
	var files []string
	for _, h := range hits[:min(len(hits), 5)] {
		files = append(files, p.names[h.file])
	}
	return files
}

// fts asks SQLite for the files that have any of the words, the best by its own measure first.
func (p *plain) fts(text string) (files []string) {
	var terms []string
	for _, w := range asked(text) {
		terms = append(terms, fmt.Sprintf("%q", w))
	}
	if len(terms) == 0 {
		return nil
	}
	err := p.db.Query(func(r sqlite.Row) bool { files = append(files, r.Text(0)); return true },
		"SELECT path FROM f WHERE f MATCH ? ORDER BY rank LIMIT 5", strings.Join(terms, " OR "))
	if err != nil {
		p.b.Fatal(err)
	}
	return files
}
