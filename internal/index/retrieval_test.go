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
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tokens "nebula/internal/model/token"
	"nebula/internal/sqlite"
)

// A posed question has one right answer: the file that its words were taken from, or another with the same words.
type posed struct {
	text  string
	plain string // the same without the name that it is about, or without the part of the project
	paths []string
	at    int // where the comment ended
}

// right tells whether one of the files is the right one.
func (q posed) right(files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return slices.Contains(q.paths, f) })
}

// questions copies a tree without the comments on its functions and types and makes questions of them. Others, such as
// commits are described, join what a comment on a function says with a comment or an error message inside it, in words
// alone; the latter are left out of the copy too.
func questions(t testing.TB, from, to string, count int) (docs, commits []posed) {
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
			found, ends := undocument(data, rel)
			docs, commits = append(docs, found...), append(commits, committed(data, rel, found, ends)...)
		case slices.Contains([]string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx"}, path.Ext(rel)):
			found, ends := undocumentScript(data, rel)
			if classify(rel)&isGenerated == 0 { // declarations repeat the comments
				docs, commits = append(docs, found...), append(commits, committed(data, rel, found, ends)...)
			}
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return drawn(docs, count), drawn(commits, count)
}

// drawn are some of the questions, always the same.
func drawn(all []posed, count int) []posed {
	all = distinct(all)
	r := rand.New(rand.NewPCG(7, 7))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(count, len(all))]
}

var (
	remark  = regexp.MustCompile(`(?m)^[ \t]+// [A-Za-z].*\n(?:[ \t]+//.*\n)*`)
	failure = regexp.MustCompile("(?:errors\\.New|fmt\\.Errorf|new [A-Z]?\\w*Error)\\(([\"'`])([A-Za-z][^\"'`\\n]{20,})[\"'`]")
)

// committed makes one question of a file, such as a commit that changes it would be described: what a function is for,
// and a detail from inside it. The detail is blanked in place. The comments on functions end at ends.
func committed(data []byte, rel string, docs []posed, ends []int) []posed {
	var best []int
	words, least := "", term(termMask)
	for _, at := range slices.Concat(remark.FindAllSubmatchIndex(data, -1), failure.FindAllSubmatchIndex(data, -1)) {
		at = at[len(at)-2:]
		i := slices.IndexFunc(docs, func(q posed) bool {
			return q.at <= at[0] && !slices.ContainsFunc(ends, func(e int) bool { return e > q.at && e <= at[0] })
		})
		if i < 0 {
			continue
		}
		detail, about := worded(string(data[at[0]:at[1]]), 3), worded(docs[i].plain, 2)
		if h := hashed([]byte(detail)); detail != "" && about != "" && h < least {
			best, words, least = at, detail+" when it "+about, h
		}
	}
	if words == "" {
		return nil
	}
	blank(data[best[0]:best[1]])
	return []posed{{text: scope(rel) + ": fix " + words, plain: "fix " + words, paths: []string{rel}}}
}

// scope is what the first line of a commit begins with: Go's folder, or the package's name.
func scope(rel string) string {
	if strings.HasSuffix(rel, ".go") {
		return path.Dir(rel)
	}
	parts := strings.SplitN(rel, "/", 3)
	if strings.HasPrefix(rel, "@") && len(parts) > 2 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

var notWord = regexp.MustCompile(`[^A-Za-z'-]|.[A-Z].*[a-z]|[a-z].*[A-Z]`)

// worded is the first sentence of a comment without what is code in it, or nothing where too little is left.
func worded(text string, least int) string {
	for _, no := range []string{"TODO", "FIXME", "XXX", "eslint", "nolint", "istanbul", "prettier", "http:", "https:", "Copyright", "@ts", "flow"} {
		if strings.Contains(text, no) {
			return ""
		}
	}
	text = sentence(strings.ReplaceAll(text, "//", " "))
	var kept []string
	meaning, all := 0, 0
	for _, w := range strings.Fields(text) {
		all++
		w = strings.Trim(w, `.,;:!?()"`)
		if w == "" || notWord.MatchString(w) {
			continue
		}
		kept = append(kept, strings.ToLower(w))
		if !idle[strings.ToLower(w)] && len(w) > 2 {
			meaning++
		}
	}
	if meaning < least || len(kept)*3 < all*2 || len(kept) > 30 {
		return ""
	}
	return strings.Join(kept, " ")
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
func undocumentScript(data []byte, rel string) (all []posed, ends []int) {
	for at := 0; at < len(data); {
		from := bytes.Index(data[at:], []byte("/**"))
		if from < 0 {
			return all, ends
		}
		from += at
		if at = from + 4; at > len(data) || data[from+3] == '/' {
			continue
		}
		size := bytes.Index(data[from+3:], []byte("*/"))
		if size < 0 {
			return all, ends
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
		ends = append(ends, at)
		q := sentence(strings.Join(text, " "))
		if ok && (kind == "func" || kind == "class") && len(strings.Fields(q)) >= 6 && !strings.ContainsAny(q, "{}") {
			all = append(all, posed{q, nameless(q, name), []string{rel}, at})
		}
	}
	return all, ends
}

func blank(data []byte) {
	for i := range data {
		if data[i] != '\n' {
			data[i] = ' '
		}
	}
}

// undocument blanks the doc comments in place and gives their first sentences.
func undocument(data []byte, rel string) (all []posed, ends []int) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil
	}
	file := set.File(f.FileStart)
	take := func(doc *ast.CommentGroup, name string) {
		if doc == nil {
			return
		}
		text := doc.Text()
		end := file.Offset(doc.End())
		blank(data[file.Offset(doc.Pos()):end])
		ends = append(ends, end)
		if !ast.IsExported(name) || ast.IsGenerated(f) {
			return
		}
		if q := sentence(text); len(strings.Fields(q)) >= 6 && !strings.HasPrefix(q, "Deprecated") {
			all = append(all, posed{q, nameless(q, name), []string{rel}, end})
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
	return all, ends
}

func sentence(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, ".")
}

// nameless is a question without the name that it is about.
func nameless(text, name string) string {
	var kept []string
	for _, w := range strings.Fields(text) {
		if strings.Trim(w, "[]().,:;'\"*") != name {
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

// BenchmarkRetrieval asks what doc comments say of the code without the comments, and what a commit might say: how often
// the file that the words are from comes first, and among the first five, in percent; plain is without the name that the
// comment begins with, or the scope that the commit does. Beside it in the same run: the files that have most of the
// question's words (grep), and SQLite's full text search over whole files (fts).
func BenchmarkRetrieval(b *testing.B) {
	for name, tree := range trees(b) {
		b.Run(name, func(b *testing.B) {
			if tree == "" || name == "go" && testing.Short() {
				b.Skip("no such tree here")
			}
			root := b.TempDir()
			docs, commits := questions(b, tree, root, 400)
			x := indexOf(b, root, filepath.Join(b.TempDir(), "x.db"))
			began := time.Now()
			if _, err := x.Refresh(context.Background(), time.Hour); err != nil {
				b.Fatal(err)
			}
			took := time.Since(began)
			plain := plainSearches(b, x, root)
			for b.Loop() {
				for kind, ask := range map[string]func(string) [][]string{"": x.paths, "grep-": plain.grep, "fts-": plain.fts} {
					judge(b, docs, kind, ask)
					judge(b, commits, kind+"commit-", ask)
				}
				told(b, x, docs)
			}
			b.ReportMetric(float64(len(x.known)), "files")
			for kind, of := range map[string]struct {
				took time.Duration
				dir  string
			}{"": {took, filepath.Dir(x.path)}, "fts-": {plain.took, plain.dir}} {
				b.ReportMetric(of.took.Seconds(), kind+"s-to-index")
				b.ReportMetric(megabytes(b, of.dir), kind+"MB-on-disk")
			}
		})
	}
}

// judge asks all questions and reports.
func judge(b *testing.B, all []posed, kind string, ask func(string) [][]string) {
	var took []time.Duration
	for _, plain := range []bool{false, true} {
		first, five := 0, 0
		for _, q := range all {
			text := q.text
			if plain {
				text = q.plain
			}
			began := time.Now()
			files := ask(text)
			took = append(took, time.Since(began))
			at := slices.IndexFunc(files, q.right)
			if at == 0 {
				first++
			}
			if at >= 0 && at < 5 {
				five++
			}
		}
		name := kind
		if plain {
			name += "plain-"
		}
		b.ReportMetric(100*float64(first)/float64(len(all)), name+"first-%")
		b.ReportMetric(100*float64(five)/float64(len(all)), name+"five-%")
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, kind+"p95-ms")
}

// told reports what requests carry without having asked: for how many there is anything, for how many of these the right
// file is in it, and what it costs.
func told(b *testing.B, x *Index, all []posed) {
	some, right, cost := 0, 0, 0
	for _, q := range all {
		text := x.evidence(q.text, false, 600, tokens.Count)
		if text == "" {
			continue
		}
		some++
		cost += tokens.Count(text)
		if slices.ContainsFunc(q.paths, func(p string) bool { return strings.Contains(text, p+":") }) {
			right++
		}
	}
	b.ReportMetric(100*float64(some)/float64(len(all)), "told-%")
	b.ReportMetric(100*float64(right)/float64(max(1, some)), "told-right-%")
	b.ReportMetric(float64(cost)/float64(max(1, some)), "told-tokens")
}

// paths are the files of an answer. Those in which the same stands are one, as in the answer.
func (x *Index) paths(text string) [][]string {
	places, err := x.lookup(text, 8)
	if err != nil {
		panic(err)
	}
	places = places[:min(len(places), 8)] // as a search for as many shows
	var files [][]string
	for _, p := range places {
		if !slices.ContainsFunc(files, func(f []string) bool { return slices.Contains(f, p.Path) }) {
			files = append(files, append([]string{p.Path}, p.Copies...))
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
	took  time.Duration // to fill it, and where it is
	dir   string
}

func plainSearches(b *testing.B, x *Index, root string) *plain {
	file := filepath.Join(b.TempDir(), "fts.db")
	db, err := sqlite.OpenCache(file, "CREATE VIRTUAL TABLE f USING fts5(path, body, tokenize='porter unicode61')")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	p := &plain{b: b, db: db}
	began := time.Now()
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
	p.took, p.dir = time.Since(began), filepath.Dir(file)
	return p
}

func megabytes(b *testing.B, dir string) float64 {
	size := 0.0
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += float64(info.Size()) / 1e6
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}

// asked are the words of a question that tell something.
func asked(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 0x80 && kinds[byte(r)] == other })
	return slices.DeleteFunc(words, func(w string) bool { return idle[w] })
}

// grep ranks files by how many words of the question they have, then by how often.
func (p *plain) grep(text string) [][]string {
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
	var files [][]string
	for _, h := range hits[:min(len(hits), 5)] {
		files = append(files, []string{p.names[h.file]})
	}
	return files
}

// fts asks SQLite for the files that have any of the words, the best by its own measure first.
func (p *plain) fts(text string) (files [][]string) {
	var terms []string
	for _, w := range asked(text) {
		terms = append(terms, fmt.Sprintf("%q", w))
	}
	if len(terms) == 0 {
		return nil
	}
	err := p.db.Query(func(r sqlite.Row) bool { files = append(files, []string{r.Text(0)}); return true },
		"SELECT path FROM f WHERE f MATCH ? ORDER BY rank LIMIT 5", strings.Join(terms, " OR "))
	if err != nil {
		p.b.Fatal(err)
	}
	return files
}
