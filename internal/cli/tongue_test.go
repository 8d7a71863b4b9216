package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/headless"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/postgres"
	"nebula/internal/protocol/cost"
	"nebula/internal/sqlite"
	"nebula/internal/terminal"
	"nebula/internal/workspace"
)

// says are the calls whose texts a person reads, with the places of the texts among their arguments.
var says = map[string][]int{
	"usage": {0}, "warn": {0}, "say": {0}, "Say": {0}, "fail": {1}, "many": {1, 2}, "exactly": {1}, "between": {2}, "Errorf": {0}, "Wrong": {1}, "refuse": {1}, "wrong": {1}, "mistake": {0}, "mistakef": {1}, "moot": {1},
}

// prints are the calls that write: what they are given as it stands would be English in every language.
var prints = map[string]bool{"Fprint": true, "Fprintf": true, "Fprintln": true, "WriteString": true}

// A text is an English text or format in the source.
type text struct {
	format string
	args   int // how many go into it; -1 where that cannot be seen
	at     string
}

// texts are those of a folder's files. Other literals that are printed go to bare.
func texts(t *testing.T, dir string, bare func(at, literal string)) (list []text) {
	t.Helper()
	set := token.NewFileSet()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			at := set.Position(call.Pos()).String()
			function, of := called(call)
			shared := function == "Errorf" || function == "Say" || function == "Wrong"
			own := function == "warn" || function == "mistake" || function == "mistakef" || function == "moot" || function == "refuse" || function == "wrong"
			if shared != (of == "nebula") || dir != "." && !shared && !own {
				return true
			}
			for _, i := range says[function] {
				if i >= len(call.Args) {
					continue
				}
				if format, ok := literal(call.Args[i]); ok {
					n := -1
					if i == len(call.Args)-1 || function != "exactly" && function != "between" && function != "many" {
						n = len(call.Args) - i - 1
					}
					if function == "many" {
						n = 1
					}
					if call.Ellipsis.IsValid() || function == "mistake" { // whose other text is for the model
						n = -1
					}
					list = append(list, text{format, n, at})
				}
			}
			if bare != nil && prints[function] {
				for _, a := range call.Args {
					if s, ok := literal(a); ok {
						bare(at, s)
					}
				}
			}
			return true
		})
	}
	return list
}

func called(call *ast.CallExpr) (function, of string) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name, ""
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			of = x.Name
		}
		return f.Sel.Name, of
	}
	return "", ""
}

// literal is a string as it stands in the source, put together where it is written in parts.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		a, okA := literal(e.X)
		b, okB := literal(e.Y)
		return a + b, okA && okB && e.Op == token.ADD
	}
	return "", false
}

var verbs = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*[\d.]*(?:\[(\d+)\])?([a-zA-Z])`)

// taken are the arguments that a format takes, and how: "1s 2d".
func taken(format string) (list []string, most int) {
	next := 1
	for _, m := range verbs.FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
		if n, err := strconv.Atoi(m[1] + m[2]); err == nil {
			next = n
		}
		verb := m[3]
		if verb == "w" || verb == "v" || verb == "q" {
			verb = "s"
		}
		list = append(list, fmt.Sprintf("%d%s", next, verb))
		most = max(most, next)
		next++
	}
	slices.Sort(list)
	return slices.Compact(list), most
}

var letters = regexp.MustCompile(`\p{L}`)

// wordless formats have nothing to translate.
func wordless(format string) bool {
	return !letters.MatchString(verbs.ReplaceAllString(format, ""))
}

// kept are the texts that are the same in every language.
var kept = []string{"nebula", "git", "nebula: ", "en", "ja"}

func (t tongue) check(test *testing.T, at, english string) {
	test.Helper()
	if wordless(english) || slices.Contains(kept, english) {
		return
	}
	said, ok := phrase.Language(t).Of(english)
	if !ok {
		test.Errorf("%s: %q is not in lang/ja.txt", at, english)
		return
	}
	a, _ := taken(english)
	b, _ := taken(said)
	if !slices.Equal(a, b) {
		test.Errorf("%s: %q takes %v, and %q takes %v", at, english, a, said, b)
	}
}

// speakers are the packages whose errors and warnings reach a person.
var speakers = []string{"agent", "config", "index", "model", "model/chat", "model/transport", "plan", "record", "sqlite", "state", "task", "terminal", "line", "headless", "workspace", "tool", "insight", "bench", "acp", "answer", "mcp", "update", "web", "serve"}

func TestEverythingThatIsSaidIsSaidInJapanese(t *testing.T) {
	ja := tongue(phrase.Table("ja"))
	list := texts(t, ".", func(at, s string) {
		if !wordless(s) && !slices.Contains(kept, s) && !slices.Contains(exempt, s) {
			t.Errorf("%s: %q is printed in English only: say it", at, s)
		}
	})
	for _, name := range speakers {
		list = append(list, texts(t, filepath.Join("..", "..", "internal", name), nil)...)
	}
	list = append(list, texts(t, filepath.Join("..", "..", "client"), nil)...)
	if len(list) < 200 {
		t.Fatalf("only %d texts were found", len(list))
	}
	for _, text := range list {
		ja.check(t, text.at, text.format)
		if _, most := taken(text.format); text.args >= 0 && most != text.args {
			t.Errorf("%s: %q takes %d, and is given %d", text.at, text.format, most, text.args)
		}
	}
	for s := range config.Settings() {
		ja.check(t, s.Name, s.Help)
		ja.check(t, s.Name, string(s.Kind))
	}
	for _, set := range cost.Sets() {
		ja.check(t, "set", set.Name)
	}
	for _, kind := range []sqlite.Kind{sqlite.Damaged, sqlite.Newer, sqlite.Foreign, sqlite.ReadOnly, sqlite.Full, sqlite.Crowded, sqlite.Busy, sqlite.Disk, sqlite.Starved, sqlite.Exposed, sqlite.Other} {
		ja.check(t, string(kind), (&sqlite.Fault{Kind: kind}).Next())
	}
	for _, kind := range []postgres.Kind{postgres.Address, postgres.Away, postgres.Refused, postgres.Unknown, postgres.Bare, postgres.Newer, postgres.Full} {
		ja.check(t, string(kind), (&postgres.Fault{Kind: kind}).Next())
	}
	for _, said := range []nebula.Speaker{&nebula.Broken{}, &nebula.Ambiguous{}} {
		ja.check(t, "error", said.Words().Format)
	}
	for _, err := range []error{
		nebula.ErrNoNote, nebula.ErrNoSession, nebula.ErrInUse, nebula.ErrNoPlan, nebula.ErrPlanChanged, nebula.ErrNoGrant, workspace.ErrStale, model.ErrNotRecorded, headless.ErrNoEnd, nebula.ErrNoContent,
	} {
		ja.check(t, "error", err.Error())
	}
	for _, text := range foreign {
		ja.check(t, "error", text)
	}
	for _, name := range []string{"settings", "key", "model", "local", "record", "folder", "sandbox", "terminal", "person", "nobody", "complex", workspace.Ending, terminal.ErrNoTerminal.Error()} {
		ja.check(t, "value", name)
	}
	for _, title := range append([]string{moreHelp, defaultValue, "default", "default without a terminal"}, titles...) {
		ja.check(t, "help", title)
	}
}

// exempt are the texts that are not for reading: the demo's own words are bilingual where they stand.
var exempt = []string{"\n[enter] "}

func TestHelpIsSaidInJapanese(t *testing.T) {
	ja := tongue(phrase.Table("ja"))
	everyCommand(func(c *cobra.Command) {
		ja.check(t, c.CommandPath(), c.Short)
		ja.check(t, c.CommandPath(), c.Long)
		flag := func(f *pflag.Flag) {
			if _, isSetting := f.Value.(*word); !isSetting && f.Name != "help" {
				ja.check(t, c.CommandPath()+" --"+f.Name, f.Usage)
			}
		}
		c.Flags().VisitAll(flag)
		c.PersistentFlags().VisitAll(flag)
	})
}

// everyCommand visits the commands, cobra's own among them.
func everyCommand(visit func(c *cobra.Command)) {
	root := (&program{env: func(string) string { return "" }}).root()
	root.InitDefaultHelpCmd()
	var below func(c *cobra.Command)
	below = func(c *cobra.Command) {
		visit(c)
		for _, sub := range c.Commands() {
			below(sub)
		}
	}
	below(root)
}

// TestNothingIsLeftOver finds what a catalogue keeps of texts that are gone, and what has other arguments than the English text.
func TestNothingIsLeftOver(t *testing.T) {
	known := map[string]bool{}
	for _, pattern := range []string{"*.go", "../../*.go", "../../client/*.go", "../../internal/*/*.go", "../../internal/*/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if s, ok := literal(e); ok {
						known[s] = true
						return false
					}
				}
				return true
			})
		}
	}
	tables, err := filepath.Glob("../../internal/*/tables/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for field := range strings.FieldsFuncSeq(string(text), func(r rune) bool { return r == '\t' || r == '\n' }) {
			known[field] = true
		}
	}
	everyCommand(func(c *cobra.Command) {
		known[c.Short], known[c.Long] = true, true
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Usage] = true })
	})
	for _, lang := range phrase.Langs()[1:] {
		text, err := os.ReadFile(filepath.Join("..", "phrase", "lang", lang+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		table := phrase.Read(string(text))
		for _, key := range slices.Sorted(maps.Keys(table)) {
			english := placed.ReplaceAllString(key, "")
			if !known[english] && !slices.Contains(foreign, key) {
				t.Errorf("%s: nobody says %q any more", lang, key)
			}
			a, _ := taken(phrase.Many(english, 1))
			b, _ := taken(table[key])
			if !slices.Equal(a, b) {
				t.Errorf("%s: %q takes %v, and %q takes %v", lang, key, a, table[key], b)
			}
			if english != key && (table[english] == "" || table[english] == table[key]) {
				t.Errorf("%s: %q is nothing else than everywhere", lang, key)
			}
		}
		pairs := 0
		for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
			switch lines := strings.Split(block, "\n"); {
			case lines[0] == "" || len(lines) > 2 || len(lines) == 1 && lines[0][0] != '#':
				t.Errorf("%s: neither a comment nor a text in two languages: %q", lang, block)
			case len(lines) == 2:
				pairs++
			}
		}
		if pairs != len(table) {
			t.Errorf("%d texts stand in lang/%s.txt, and %d of them once", pairs, lang, len(table))
		}
	}
}

// placed is where a text means something of its own.
var placed = regexp.MustCompile(`^\[\w+\.\w+\] `)

// foreign are texts of the system and of Go's packages.
var foreign = []string{
	"file does not exist", "permission denied", "no such file or directory", "operation not permitted", "no space left on device",
	"read-only file system", "is a directory", "not a directory", "file exists", "input/output error", "unexpected EOF", "executable file not found in $PATH",
	"connection refused", "connection reset by peer", "broken pipe", "no such host", "i/o timeout", "context deadline exceeded", "network is unreachable", "no route to host", "unexpected end of JSON input", "invalid character",
	"json: cannot unmarshal", "text file busy", "device or resource busy", "file name too long", "directory not empty", "invalid argument", "argument list too long", "exec format error", "disk quota exceeded", "too many levels of symbolic links", "EOF",
}

func TestErrorsAreSaidAsFarAsTheyAreKnown(t *testing.T) {
	ja := tongue(phrase.Table("ja"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{nebula.Errorf("session %s: %w", "s1", nebula.ErrInUse), "セッション s1: セッションは別の nebula で開かれています"},
		{fmt.Errorf("elsewhere: %w", usage("use %s", "x")), "elsewhere: x のどれかにしてください"},
		{errors.Join(usage("no such setting"), errors.New("unknown")), "そのような設定はありません\nunknown"},
		{&fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission}, "/x: 権限がありません"},
		{&config.ValueError{Key: "mode", Text: nebula.Say("cannot be %q", "x"), Next: nebula.Say("use %s or %s", "a", "b")}, `mode: "x" にはできません。a, b のどれかにしてください`},
		{errors.New("nobody knows this"), "nobody knows this"},
		{fmt.Errorf("dial: %w", &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}), "dial: dial tcp: connect: 接続を拒否されました"},
		{&net.DNSError{Name: "x.invalid", Err: "no such host"}, "lookup x.invalid: そのようなホストは見つかりません"},
		{&net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}, "read tcp: 時間内に応答がありませんでした"},
		{errors.New("context deadline exceeded (Client.Timeout exceeded while awaiting headers)"), "時間内に終わりませんでした (Client.Timeout exceeded while awaiting headers)"},
		{json.Unmarshal([]byte("{bad"), new(any)), "JSON として正しくありません (invalid character 'b' looking for beginning of object key string)"},
		{json.Unmarshal([]byte(`{"a":`), new(any)), "JSON が途中で終わっています"},
		{json.Unmarshal([]byte(`"a"`), new(int)), "JSON の値の型が合いません (json: cannot unmarshal string into Go value of type int)"},
	} {
		if got := ja.error(c.err); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
		if got := tongue(nil).error(c.err); got != c.err.Error() {
			t.Errorf("in English %q, not %q", got, c.err)
		}
	}
}

func TestColumnsAreAsWideAsTheyLook(t *testing.T) {
	var b strings.Builder
	var left table
	left.row("a", "名前", "x")
	left.row("bb", "n", "y")
	_ = left.print(&b)
	right := table{right: true}
	right.row("", "合計")
	right.row("x", "1")
	_ = right.print(&b)
	if want := "a   名前  x\nbb  n     y\n     合計\n  x     1\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestEnglishReadsNoCatalogue(t *testing.T) {
	for lang, read := range map[string]bool{"en": false, "ja": true} {
		p := &program{out: io.Discard, err: io.Discard, env: func(name string) string {
			return map[string]string{"NEBULA_LANG": lang, "NEBULA_HOME": t.TempDir()}[name]
		}}
		if code := p.main(t.Context(), []string{"run", "--help"}); code != 0 || (p.known != nil) != read {
			t.Errorf("%s: %d, %d texts", lang, code, len(p.known))
		}
	}
}

// BenchmarkTongue is what the catalogue costs a person who reads it; in English it is not read.
func BenchmarkTongue(b *testing.B) {
	text, err := os.ReadFile(filepath.Join("..", "phrase", "lang", "ja.txt"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		phrase.Read(string(text))
	}
}
