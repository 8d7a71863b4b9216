package nebula_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nebula/internal/language"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/tool"
)

// An access is what one package may see of the others. Everything may import the root package, lazy and the standard library.
type access struct {
	sees    []string // packages under internal/
	foreign []string // modules that it isolates, by prefix
	pure    bool     // computes only: no files, processes, network or database of its own
	never   []string // packages under internal/ that it must not even reach through others
}

// layout is the import table. A new package is a line here, or the test says so; a star stands for the packages of a folder.
var layout = map[string]access{
	"acp":    {sees: []string{"command", "gate", "owed", "phrase", "terminal", "transcript"}, foreign: []string{"github.com/coder/acp-go-sdk"}},
	"advice": {pure: true, sees: []string{"phrase"}},
	"aide":   {pure: true, sees: []string{"matter", "phrase"}},
	"agent": {sees: []string{"advice", "amend", "gate", "phrase", "prompt", "state"}, pure: true,
		never: []string{"config", "demo", "headless", "line", "model", "plan", "sqlite", "task", "tool", "tui", "workspace"}},
	"answer":           {pure: true, sees: []string{"phrase"}, foreign: []string{"github.com/google/jsonschema-go/jsonschema"}},
	"bench":            {sees: []string{"packed"}, pure: true, foreign: []string{"github.com/rogpeppe/go-internal/txtar"}},
	"command":          {pure: true, sees: []string{"gate", "phrase"}},
	"config":           {sees: []string{"gate", "language", "phrase", "volume"}},
	"confine":          {foreign: []string{"golang.org/x/sys/unix"}},
	"custom":           {pure: true, sees: []string{"matter", "phrase"}},
	"demo":             {sees: []string{"packed"}},
	"experience":       {pure: true, sees: []string{"gate", "phrase"}},
	"fleet":            {sees: []string{"phrase", "plan"}},
	"telemetry":        {foreign: []string{"github.com/prometheus/client_golang/", "go.opentelemetry.io/otel"}},
	"temporal":         {sees: []string{"fleet", "plan", "telemetry"}, foreign: []string{"go.temporal.io/", "google.golang.org/protobuf", "go.opentelemetry.io/otel"}},
	"fork":             {foreign: []string{"github.com/aymanbagabas/go-udiff"}},
	"gate":             {sees: []string{"packed", "phrase", "steer"}, pure: true, foreign: []string{"mvdan.cc/sh/v3/syntax"}},
	"headless":         {sees: []string{"gate", "phrase", "terminal", "transcript"}},
	"helper":           {sees: []string{"confine"}},
	"hook":             {pure: true, sees: []string{"matter", "phrase"}},
	"index":            {sees: []string{"sqlite", "workspace"}},
	"insight":          {pure: true, sees: []string{"gate", "phrase"}},
	"keyring":          {foreign: []string{"github.com/zalando/go-keyring"}},
	"language":         {pure: true, sees: []string{"protocol/*"}},
	"amend":            {pure: true},
	"line":             {sees: []string{"command", "gate", "phrase", "terminal", "transcript"}, foreign: []string{"github.com/charmbracelet/"}},
	"matter":           {pure: true, sees: []string{"phrase"}},
	"lsp":              {sees: []string{"helper", "phrase"}},
	"mcp":              {sees: []string{"helper", "matter", "owed", "phrase"}, foreign: []string{"github.com/aymanbagabas/go-udiff", "github.com/google/jsonschema-go/jsonschema", "github.com/modelcontextprotocol/go-sdk", "golang.org/x/oauth2"}},
	"model":            {sees: []string{"model/*", "phrase", "redact"}},
	"model/*":          {sees: []string{"model/transport"}}, // how a provider is spoken to
	"model/token":      {pure: true},
	"model/transport":  {sees: []string{"phrase"}},
	"nebulatest":       {sees: []string{"phrase", "record", "wire"}},
	"lazy":             {pure: true},
	"owed":             {pure: true},
	"lists":            {pure: true},
	"phrase":           {pure: true},
	"packed":           {pure: true},
	"page":             {pure: true, sees: []string{"amend", "gate", "packed", "phrase", "terminal", "transcript"}},
	"plan":             {pure: true, sees: []string{"lazy", "phrase", "protocol"}},
	"prompt":           {pure: true, sees: []string{"advice", "phrase", "state"}},
	"protocol":         {pure: true, sees: []string{"packed", "phrase"}},
	"protocol/*":       {pure: true, sees: []string{"phrase", "protocol"}}, // a language
	"protocol/dialect": {pure: true, sees: []string{"language", "protocol", "protocol/actionlist", "protocol/toolcall"}},
	"protocol/judge":   {}, // tests only
	"postgres":         {sees: []string{"record"}, foreign: []string{"github.com/jackc/pgx/v5", "github.com/pressly/goose/v3"}},
	"record":           {},
	"redact":           {pure: true, sees: []string{"phrase"}},
	"share":            {pure: true, sees: []string{"phrase", "terminal", "transcript"}},
	"skill":            {pure: true, sees: []string{"matter", "phrase"}},
	"sqlite":           {sees: []string{"record", "volume"}, foreign: []string{"modernc.org/sqlite"}},
	"state":            {pure: true, sees: []string{"packed", "phrase", "protocol"}, foreign: []string{"github.com/clipperhouse/uax29", "mvdan.cc/sh/v3/syntax"}},
	"steer":            {pure: true},
	"terminal":         {sees: []string{"command", "gate", "phrase"}, foreign: []string{"github.com/charmbracelet/", "github.com/clipperhouse/displaywidth", "github.com/muesli/cancelreader", "golang.org/x/sys/unix", "golang.org/x/sys/windows"}},
	"task":             {sees: []string{"gate", "phrase", "plan", "state"}, pure: true},
	"tool":             {sees: []string{"advice", "amend", "confine", "index", "phrase", "workspace"}, foreign: []string{"github.com/aymanbagabas/go-udiff", "mvdan.cc/sh/v3/syntax"}},
	"transcript":       {pure: true, sees: []string{"gate", "phrase", "plan"}},
	"trust":            {foreign: []string{"github.com/aymanbagabas/go-udiff"}},
	"tui":              {sees: []string{"amend", "command", "gate", "phrase", "terminal", "transcript"}, foreign: []string{"github.com/charmbracelet/"}},
	"web":              {sees: []string{"phrase"}, foreign: []string{"github.com/JohannesKaufmann/html-to-markdown/v2", "golang.org/x/net/html", "golang.org/x/text/encoding"}},
	"wire":             {pure: true},
	"serve":            {sees: []string{"command", "page", "phrase", "transcript", "volume", "wire"}},
	"volume":           {},
	"update":           {foreign: []string{"aead.dev/minisign", "golang.org/x/mod/semver"}},
	"workspace":        {sees: []string{"confine", "phrase", "redact", "steer", "volume"}, foreign: []string{"golang.org/x/sys", "golang.org/x/text/unicode/norm", "github.com/charlievieth/fastwalk"}},
}

// outside is what a pure package leaves alone.
var outside = []string{"os", "os/exec", "os/signal", "net", "net/http", "database/sql", "syscall", "plugin"}

type listed struct {
	ImportPath, Dir, Name string
	Standard              bool
	Module                *struct{ Main bool }
	Imports, Deps         []string
	GoFiles               []string
}

func ours(p listed) bool { return p.Module != nil && p.Module.Main }

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Name,Standard,Module,Imports,Deps,GoFiles", "-deps", "./...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImportsPointAtTheVocabulary(t *testing.T) {
	all := packages(t)
	standard := map[string]bool{"C": true}
	for _, p := range all {
		standard[p.ImportPath] = standard[p.ImportPath] || p.Standard
	}
	for _, p := range all {
		if !ours(p) {
			continue
		}
		name, internal := strings.CutPrefix(p.ImportPath, "nebula/internal/")
		switch {
		case p.ImportPath == "nebula":
			root(t, p, standard)
		case name == "cli", strings.HasPrefix(p.ImportPath, "nebula/cmd/"), strings.HasPrefix(p.ImportPath, "nebula/docs/"):
			if slices.Contains(p.Imports, "nebula/internal/nebulatest") {
				t.Errorf("%s imports nebulatest, which is for tests.", p.ImportPath)
			}
		case internal:
			layer(t, name, p, standard)
		case p.ImportPath == "nebula/client": // for programs of other people
		default:
			t.Errorf("%s is neither the vocabulary, a command nor under internal/: it has no place.", p.ImportPath)
		}
	}
}

// TestTheCommandForOnePersonIsLight: what a team needs is linked by the command for teams alone.
func TestTheCommandForOnePersonIsLight(t *testing.T) {
	heavy := []string{"github.com/jackc/", "github.com/pressly/goose", "go.temporal.io/", "go.opentelemetry.io/", "github.com/prometheus/", "nebula/internal/postgres", "nebula/internal/telemetry", "nebula/internal/temporal", "google.golang.org/grpc", "google.golang.org/protobuf"}
	for _, p := range packages(t) {
		if p.ImportPath != "nebula/cmd/nebula" {
			continue
		}
		for _, dep := range p.Deps {
			if slices.ContainsFunc(heavy, func(prefix string) bool { return strings.HasPrefix(dep, prefix) }) {
				t.Errorf("cmd/nebula links %s, which is for nebula-fleet.", dep)
			}
		}
	}
}

func root(t *testing.T, p listed, standard map[string]bool) {
	for _, i := range p.Imports {
		if !standard[i] {
			t.Errorf("The root package imports %s: it may import the standard library only.", i)
		}
		if slices.Contains(outside, i) {
			t.Errorf("The root package imports %s: the vocabulary does no I/O.", i)
		}
	}
}

func layer(t *testing.T, name string, p listed, standard map[string]bool) {
	may, ok := layout[name]
	if !ok {
		may, ok = layout[path.Dir(name)+"/*"]
	}
	if !ok {
		t.Errorf("internal/%s is not in the import table: add a line that says what it may see.", name)
		return
	}
	for _, i := range p.Imports {
		other, internal := strings.CutPrefix(i, "nebula/internal/")
		switch {
		case i == "nebula", i == "nebula/internal/lazy", i == "nebula/internal/lists":
		case internal:
			if !slices.ContainsFunc(may.sees, func(seen string) bool { ok, _ := path.Match(seen, other); return ok }) { // the patterns are sound
				t.Errorf("internal/%s imports internal/%s, which its line in the table does not allow.", name, other)
			}
		case strings.HasPrefix(i, "nebula/"):
			t.Errorf("internal/%s imports %s: nothing imports a command.", name, i)
		case standard[i]:
			if may.pure && slices.Contains(outside, i) {
				t.Errorf("internal/%s imports %s, but it is to compute only.", name, i)
			}
		case !slices.ContainsFunc(may.foreign, func(prefix string) bool { return strings.HasPrefix(i, prefix) }):
			t.Errorf("internal/%s imports %s: a library is seen by the one package that isolates it.", name, i)
		}
	}
	for _, never := range may.never {
		if slices.Contains(p.Deps, "nebula/internal/"+never) {
			t.Errorf("internal/%s reaches internal/%s through its imports, and must not know that it exists.", name, never)
		}
	}
}

// A kind of name belongs to some packages and is a secret to all others.
type secret struct {
	what  string
	homes []string // folders whose code may say the name
	is    func(literal string) bool
}

// secrets are the names that stay at home: a new tool, provider or front end then needs no change elsewhere.
var secrets = []secret{
	{"tool", []string{"internal/tool", "internal/demo", "internal/protocol", "internal/language", "internal/cli", "docs/learn"}, oneOf(toolNames()...)},
	{"provider", []string{"internal/model", "internal/config", "internal/cli"}, folded(append(model.Providers(), "llama.cpp", "lm studio")...)},
	{"protocol", []string{"internal/protocol", "internal/language", "internal/demo", "internal/cli"}, oneOf(language.Names()...)},
	{"colour", []string{"internal/line", "internal/tui", "docs"}, func(s string) bool {
		return strings.Contains(s, "\x1b[3") || strings.Contains(s, "\x1b[9") || oneOf("red", "green", "yellow", "blue", "magenta", "cyan")(s)
	}},
}

// toolNames are the tools' names that are no words of a language.
func toolNames() (names []string) {
	for _, t := range tool.Specs() {
		if strings.ToLower(t.Name) != t.Name {
			names = append(names, t.Name)
		}
	}
	return names
}

func folded(names ...string) func(string) bool {
	return func(s string) bool { return slices.Contains(names, strings.ToLower(s)) }
}

func oneOf(names ...string) func(string) bool {
	return func(s string) bool { return slices.Contains(names, s) }
}

func TestNamesStayAtHome(t *testing.T) {
	sources(t, func(path string, _ *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool { return named(t, path, n) })
	})
}

// TestNoCodeKnowsOneLanguage: what is said in which is in tables, and nothing asks for one of them by its name.
func TestNoCodeKnowsOneLanguage(t *testing.T) {
	tongue := func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		return ok && slices.ContainsFunc(phrase.Langs(), func(lang string) bool { return lit.Value == strconv.Quote(lang) })
	}
	sources(t, func(path string, at *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ) && (tongue(n.X) || tongue(n.Y)) {
					t.Errorf("%s asks for one language: a table with a row for each says what is different.", at.Position(n.Pos()))
				}
			case *ast.CaseClause:
				if slices.ContainsFunc(n.List, tongue) {
					t.Errorf("%s asks for one language: a table with a row for each says what is different.", at.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

// sources are the files of the program, without its tests.
func sources(t *testing.T, visit func(path string, at *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "nebulatest" || d.Name() == "sample" || strings.HasPrefix(d.Name(), ".") && path != "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		at := token.NewFileSet()
		file, err := parser.ParseFile(at, path, nil, 0)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(path), at, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// named looks at one literal. Import paths and field tags are no names.
func named(t *testing.T, path string, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		n.Tag = nil
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		if n.Kind != token.STRING || err != nil {
			return true
		}
		for _, s := range secrets {
			if s.is(text) && !slices.ContainsFunc(s.homes, func(home string) bool { return strings.HasPrefix(path, home+"/") }) {
				t.Errorf("%s says %q: the name of a %s is known in %s only.", path, text, s.what, strings.Join(s.homes, ", "))
			}
		}
	}
	return true
}
