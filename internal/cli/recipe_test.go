//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"nebula/internal/nebulatest"
	"nebula/internal/phrase"
)

// A tree is a copy of the sources, to which something is added as CONTRIBUTING.md says.
type tree struct {
	t   *testing.T
	dir string
}

func copied(t *testing.T) tree {
	t.Helper()
	to := tree{t, t.TempDir()}
	from := filepath.Join("..", "..")
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path) // both begin with from
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == ".git" || rel == "bench" || rel == "tools"):
			return fs.SkipDir
		case d.IsDir() || rel == ".git":
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil {
			to.write(rel, string(data))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func (d tree) write(path, text string) {
	d.t.Helper()
	path = filepath.Join(d.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// row puts a row before the first one that begins so, in the one file of a folder that has it.
func (d tree) row(folder, before, row string) {
	d.t.Helper()
	files, _ := filepath.Glob(filepath.Join(d.dir, folder, "*.go")) // the pattern is sound
	if !slices.ContainsFunc(files, func(file string) bool { return !strings.HasSuffix(file, "_test.go") && d.put(file, before, row) }) {
		d.t.Fatalf("no file of %s has a row that begins %s", folder, before)
	}
}

// put puts a row before another one of a file, if that is there.
func (d tree) put(file, before, row string) bool {
	d.t.Helper()
	data, err := os.ReadFile(file)
	head, tail, ok := strings.Cut(string(data), before)
	if err == nil && ok {
		err = os.WriteFile(file, []byte(head+row+before+tail), 0o644)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return ok
}

func (d tree) run(name string, args ...string) {
	d.t.Helper()
	c := exec.Command(name, args...)
	c.Dir = d.dir
	if out, err := c.CombinedOutput(); err != nil {
		d.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

const newTool = `package tool

import (
	"context"

	"nebula"
)

type rollDice struct{}

// Spec is how the model is told of it.
func (t *rollDice) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "rollDice", Description: "Roll a die.", Params: []nebula.Param{param("sides", "integer", true, "")}, Effect: nebula.Read}
}

// Propose says what a throw would be.
func (t *rollDice) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Sides int }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	return nebula.Proposal{Effect: nebula.Read, Summary: said(v.Lang, "roll a die", "サイコロを振る"), Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		return nebula.Result{Status: nebula.Done, Text: number(1000 + in.Sides) + " eyes"}, nil
	}}, nil
}
`

const newProtocol = `// Package plainly is a language of one line: do TOOL ARGUMENTS.
package plainly

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Protocol implements nebula.Protocol.
type Protocol struct{}

// Name implements nebula.Protocol.
func (Protocol) Name() string { return "plainly" }

// Teach implements nebula.Protocol.
func (Protocol) Teach([]nebula.ToolSpec, string) (string, []nebula.ToolSpec) {
	return "Write: do TOOL ARGUMENTS, with the arguments as JSON.", nil
}

// Decode implements nebula.Protocol.
func (Protocol) Decode(r nebula.Reply, _ []nebula.ToolSpec) (in nebula.Intent) {
	name, args, ok := strings.Cut(strings.TrimPrefix(r.Text(), "do "), " ")
	if in.Say = r.Text(); ok && strings.HasPrefix(r.Text(), "do ") && json.Valid([]byte(args)) {
		in.Say, in.Actions = "", []nebula.Action{{Tool: name, Args: json.RawMessage(args), Src: nebula.Span{End: len(r.Text()), Line: 1}}}
	}
	protocol.Settle(r, &in)
	return in
}

// Encode implements nebula.Protocol.
func (Protocol) Encode(r nebula.Reply, _ nebula.Intent, results []nebula.Result) []nebula.Message {
	list := []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(r.Text())}}
	for _, res := range results {
		list = append(list, nebula.Message{Role: nebula.User, Parts: nebula.Text(res.Text)})
	}
	return list
}

// Write writes in the language.
func Write(in nebula.Intent, _ []nebula.ToolSpec) nebula.Reply {
	text := in.Say
	for _, a := range in.Actions {
		text = "do " + a.Tool + " " + string(a.Args)
	}
	return nebula.Reply{Parts: nebula.Text(text)}
}
`

const newProvider = `// Package acme speaks as ACME's servers do: the conversation in one string, and an object back.
package acme

import (
	"encoding/json"
	"net/http"

	"nebula"
	"nebula/internal/model/transport"
)

// An Adapter is a transport.Adapter.
type Adapter struct{ At transport.Endpoint }

// Ask writes a request.
func (a Adapter) Ask(p nebula.Prompt) transport.Exchange {
	said := p.System
	for _, m := range p.Messages {
		said += "\n" + m.Text()
	}
	body, _ := json.Marshal(map[string]string{"said": said}) // of strings
	return transport.Exchange{
		URL: a.At.BaseURL + "/talk", Header: http.Header{"Acme-Key": {a.At.Key}}, Body: body,
		Reader: func(out *transport.Out) transport.Reader { return &reader{out: out} },
	}
}

type reader struct {
	out   *transport.Out
	whole bool
}

// Event takes what stands in a stream.
func (r *reader) Event(_, data []byte) (bool, error) { return false, transport.NewDamaged(data) }

// Whole tells whether the reply came to its end.
func (r *reader) Whole() bool { return r.whole }

// End closes the reply.
func (r *reader) End() error { return r.out.Say(nebula.Chunk{Finish: "stop"}) }

// Object takes a reply that came in one piece.
func (r *reader) Object(raw json.RawMessage) error {
	var in struct{ Says string }
	if err := json.Unmarshal(raw, &in); err != nil {
		return transport.NewDamaged(raw)
	}
	r.whole = true
	return r.out.Say(nebula.Chunk{Text: in.Says})
}
`

const newFront = `// Package echo is a front end: a line in, and how its turn ended out.
package echo

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"nebula"
)

// Run reads lines until there are no more.
func Run(ctx context.Context, host nebula.Host, in io.Reader, out io.Writer) error {
	folder, err := host.Folder(ctx)
	if err != nil {
		return err
	}
	c, err := host.Open(ctx, "")
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(out, "echo in", folder.Dir)
	after := int64(nebula.FromOpening)
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if err := c.Send(ctx, nebula.Submit{Text: lines.Text()}); err != nil {
			return err
		}
		for e := range c.Events(ctx, after) {
			if b, ok := e.Body.(nebula.Ended); ok {
				after = e.Seq
				_, _ = fmt.Fprintf(out, "%s > %s\n", lines.Text(), b.Text)
				break
			}
		}
	}
	return nil
}
`

// method begins what a store does for others.
var method = regexp.MustCompile(`(?m)^func \(s \*store\) ([A-Z]\w*)`)

// storeOfMaps is the store that internal/record's tests have, as a package with a door.
func (d tree) storeOfMaps() {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, "internal", "record", "store_test.go"))
	head, rest, _ := strings.Cut(string(data), "// TestStoreOfMapsIsAStore")
	test, body, ok := strings.Cut(rest, "\n}\n")
	if err != nil || !ok {
		d.t.Fatal("the store of maps is not where it was: ", err)
	}
	test = "package maps\n\nimport (\n\t\"sync\"\n\t\"testing\"\n\n\t\"nebula\"\n\t\"nebula/internal/nebulatest\"\n)\n\n// TestStoreOfMapsIsAStore" + test + "\n}\n"
	head = strings.NewReplacer("package record_test", "// Package maps is a record that ends with the program.\npackage maps", "\t\"testing\"\n", "", "\t\"nebula/internal/nebulatest\"\n", "").Replace(head)
	shelf, err := os.ReadFile(filepath.Join(d.dir, "internal", "nebulatest", "contents.go"))
	if err != nil {
		d.t.Fatal(err)
	}
	d.write("internal/maps/contents.go", strings.Replace(string(shelf), "package nebulatest", "package maps", 1))
	d.write("internal/maps/maps_test.go", test)
	d.write("internal/maps/maps.go", head+method.ReplaceAllString(strings.ReplaceAll(body, "nebulatest.", ""), "// $1 implements nebula.Store.\n$0")+`
// Open begins an empty record.
func Open(context.Context, string, record.Heads) (record.Taker, error) { return &store{data: empty()}, nil }
`)
	main := filepath.Join(d.dir, "cmd", "nebula", "main.go")
	if !d.put(main, "import \"nebula/internal/cli\"", "import \"nebula/internal/maps\"\n") ||
		!d.put(main, "}) }", `Records: map[string]cli.Opener{"maps": maps.Open}`) ||
		!d.put(filepath.Join(d.dir, "arch_test.go"), "\t\"gate\": ", "\t\"maps\": {sees: []string{\"record\"}},\n") {
		d.t.Fatal("the store's rows have no place")
	}
}

// TestRecipesAreTrue adds a tool, a protocol, two providers, a store, a risk, a command, a language and a front end to a copy of the tree by the
// recipes of CONTRIBUTING.md: a file and a row, a package and a row, rows alone, one file alone. They are used, helped with and completed, and the import
// table is content.
func TestRecipesAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program anew")
	}
	d := copied(t)
	d.write("internal/tool/dice.go", newTool)
	d.row("internal/tool", "&askUser{}", "&rollDice{}, ")
	d.write("internal/protocol/plainly/plainly.go", newProtocol)
	d.row("internal/language", "\t\t{Protocol: symops.Protocol{}", "\t\t{Protocol: plainly.Protocol{}, Write: plainly.Write},\n")
	d.row("internal/language", "\t\"nebula/internal/protocol/symops\"", "\t\"nebula/internal/protocol/plainly\"\n")
	d.write("internal/model/acme/acme.go", newProvider)
	d.row("internal/model", "\t{name: Standard", "\t{name: \"acme\", title: \"ACME\", base: \"https://acme.example/v1\", keys: []string{\"ACME_API_KEY\"}, baseEnv: \"ACME_BASE_URL\",\n"+
		"\t\tspeaks: func(at Endpoint, _ nebula.ModelInfo) transport.Adapter { return acme.Adapter{At: at} }},\n"+
		"\t{name: \"usual\", title: \"Usual\", base: \"https://usual.example/v1\", keys: []string{\"USUAL_API_KEY\"}, baseEnv: \"USUAL_BASE_URL\"},\n")
	d.write("internal/echo/echo.go", newFront)
	d.row("internal/cli", "\t\t{flag: \"plain\"", "\t\t{flag: \"echo\", about: \"a line in, a line out\", script: true, show: func(h *host, ctx context.Context, _ string) error { return echo.Run(ctx, h, h.keys, h.page) }},\n")
	d.row("internal/cli", "\t\"nebula/internal/headless\"\n\t\"nebula/internal/line\"", "\t\"nebula/internal/echo\"\n")
	imports := d.put(filepath.Join(d.dir, "internal", "model", "provider.go"), "\t\"nebula/internal/model/anthropic\"", "\t\"nebula/internal/model/acme\"\n")
	d.row("internal/gate", "\t\t{\"nebula\", program{judge: \"self\"}}", "\t\t{\"teleport\", program{does: []Danger{\"beams\"}}},\n")
	d.row("internal/gate", "\t{FilledIn, Medium, guess}", "\t{\"beams\", High, 0},\n")
	if !d.put(filepath.Join(d.dir, "internal", "gate", "tables", "say.txt"), "deletes\t", "beams\tsends matter elsewhere\n") {
		t.Fatal("what a danger says has no place")
	}
	d.run("go", "test", "./internal/gate", "-run", "Packed", "-args", "-update")
	d.row("internal/command", "\t{Name: \"keep\"", "\t{Name: \"calm\", sends: always(nebula.Switch{Approve: \"ask\"})},\n")
	d.row("internal/command", "\t\"keep\": ", "\t\"calm\": {About: \"asks from now on\"},\n")
	ja, err := os.ReadFile(filepath.Join(d.dir, "internal", "phrase", "lang", "ja.txt"))
	if err != nil {
		t.Fatal(err)
	}
	d.speak("xx", marked(string(ja)))
	if !imports || !d.put(filepath.Join(d.dir, "arch_test.go"), "\t\"gate\": ", "\t\"echo\": {},\n") {
		t.Fatal("the provider's import, or its row of the import table, has no place")
	}
	d.storeOfMaps()
	d.run("go", "build", "-o", "nebula.new", "./cmd/nebula")
	d.run("go", "test", "./internal/maps")
	d.run("go", "test", ".", "-run", "TestImportsPointAtTheVocabulary|TestNamesStayAtHome|TestEveryExportedNameIsDocumented")
	d.missed("xx", "sends matter elsewhere")

	b := newBed(t)
	b.path = filepath.Join(d.dir, "nebula.new")
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost { // what models there are is asked as well
			http.NotFound(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body) // what is missing is missed below
		asked = append(asked, r.Header.Get("Acme-Key")+string(body))
		_, _ = io.WriteString(w, []string{`{"says":"It shows many."}`, `{"says":"do rollDice {\"sides\":6}"}`}[len(asked)%2])
	}))
	t.Cleanup(server.Close)
	c := b.command("run", "--model", "acme/m1", "--protocol", "plainly", "-o", "stream-json", "roll it")
	c.Env = append(c.Env, "OPENAI_API_KEY=", "ACME_API_KEY=sk-acme", "ACME_BASE_URL="+server.URL)
	out, err := c.CombinedOutput()
	if err != nil || len(asked) != 2 || !strings.Contains(asked[0], "Write: do TOOL ARGUMENTS") || !strings.HasPrefix(asked[1], "sk-acme") || !strings.Contains(asked[1], "1,006 eyes") {
		t.Errorf("%v\n%s\nasked: %s", err, out, fmt.Sprint(asked))
	}
	b.server.Answers = func(n int, _ []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: fmt.Sprint("answer ", n)} }
	elsewhere := b.command("run", "hello")
	elsewhere.Env = append(elsewhere.Env, "NEBULA_RECORD_URL=maps://here", "NEBULA_HOME="+filepath.Join(b.home, "other"))
	if out, err := elsewhere.CombinedOutput(); err != nil || !strings.Contains(string(out), "answer 0") {
		t.Errorf("with a record of maps: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(b.home, "other", "nebula.db")); err == nil {
		t.Error("with a record of maps there is one in nebula's home")
	}
	c = b.command("--echo", "--model", "usual/m1")
	c.Env = append(c.Env, "OPENAI_API_KEY=", "USUAL_API_KEY=sk-usual", "USUAL_BASE_URL="+b.server.URL())
	c.Stdin = strings.NewReader("one\ntwo\n")
	if out, err := c.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "one > answer 1\ntwo > answer 2\n") {
		t.Errorf("%v\n%s", err, out)
	}
	for args, want := range map[string]string{
		"run --help":                  "plainly",
		"--help":                      "a line in, a line out",
		"__complete run --protocol p": "plainly",
		"config set protocol nothing": "plainly",
		"protocol decode":             "plainly",
		"config set lang nothing":     "xx",
		"--lang xx --help":            "«a line in, a line out»",
		"--lang xx frobnicate":        "«no command ",
	} {
		out, _ := b.command(strings.Fields(args)...).CombinedOutput() // some of them fail, and name what there is
		if !strings.Contains(string(out), want) {
			t.Errorf("nebula %s says nothing of %s:\n%s", args, want, out)
		}
	}
	var called atomic.Bool
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		if !called.Swap(true) {
			return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "runCommand", Arguments: json.RawMessage(`{"command":"teleport home","reason":"to see it"}`)}}}
		}
		return &nebulatest.Answer{Text: "It stays."}
	}
	c = b.command("--plain", "--lang", "xx")
	c.Env = append(c.Env, "NEBULA_SANDBOX=off") // in a box nobody need be asked
	c.Stdin = strings.NewReader("go home\nno\n/calm\n/help\n/exit\n")
	out, err = c.CombinedOutput()
	for _, want := range []string{"«sends matter elsewhere»", "«Permission needed: ", "«asks from now on»", "It stays."} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%v: no %s in\n%s", err, want, out)
		}
	}
}

// marked is a language in which everything is said as in English, between marks.
func marked(ja string) string {
	var b strings.Builder
	b.WriteString("sends matter elsewhere\n«sends matter elsewhere»\n\na line in, a line out\n«a line in, a line out»\n\nasks from now on\n«asks from now on»\n\n")
	line := strings.NewReplacer("\n", `\n`, "\t", `\t`)
	for _, english := range slices.Sorted(maps.Keys(phrase.Read(ja))) {
		fmt.Fprintf(&b, "%s\n«%s»\n\n", line.Replace(english), line.Replace(placed.ReplaceAllString(english, "")))
	}
	return b.String()
}

// missed takes a sentence out of a language, and has the tests say which.
func (d tree) missed(lang, sentence string) {
	d.t.Helper()
	whole, err := os.ReadFile(filepath.Join(d.dir, "internal", "phrase", "lang", lang+".txt"))
	if err != nil {
		d.t.Fatal(err)
	}
	d.speak(lang, strings.Replace(string(whole), sentence+"\n", "nothing\n", 1))
	c := exec.Command("go", "test", "./internal/gate", "-run", "TestCataloguesAreWhole")
	c.Dir = d.dir
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), lang+`: gate.beams is "`+sentence+`" in English, and nothing`) {
		d.t.Errorf("%v\n%s", err, out)
	}
	d.speak(lang, string(whole))
}

// speak gives a language its texts and packs them.
func (d tree) speak(lang, texts string) {
	d.t.Helper()
	d.write("internal/phrase/lang/"+lang+".txt", texts)
	d.run("go", "test", "./internal/phrase", "-run", "TestTheLanguagesArePacked", "-args", "-update")
}
