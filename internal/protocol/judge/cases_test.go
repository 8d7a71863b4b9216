package judge

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	spoken "nebula/internal/language"
	"nebula/internal/protocol/dialect"
)

// A language is a protocol with the writer that plays a model speaking it.
type language struct {
	nebula.Protocol
	write func(nebula.Intent, []nebula.ToolSpec) nebula.Reply
}

func languages() (list []language) {
	for _, p := range spoken.All() {
		list = append(list, language{p.Protocol, p.Write})
	}
	return list
}

func named(t testing.TB, name string) language {
	t.Helper()
	for _, l := range languages() {
		if l.Name() == name {
			return l
		}
	}
	t.Fatalf("no protocol %q", name)
	return language{}
}

// decode reads a reply through the door that the agent uses.
func (l language) decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	return dialect.Tolerant(l.Protocol).Decode(r, tools)
}

// A testCase is a reply with the readings that are right (testdata/README.md).
type testCase struct {
	ID, Protocol, Kind, Reply, Finish string

	Calls []struct{ Name, Arguments string }
	Files map[string]string

	Accept []json.RawMessage
}

func (c testCase) reply() nebula.Reply {
	r := nebula.Reply{Parts: nebula.Text(c.Reply), Finish: c.Finish}
	for i, call := range c.Calls {
		r.Parts = append(r.Parts, nebula.PartsOf("", "", nebula.Call{ID: string(rune('a' + i)), Name: call.Name, Arguments: call.Arguments})...)
	}
	if r.Finish == "" {
		r.Finish = "stop"
		if len(r.Calls()) > 0 {
			r.Finish = "tool_calls"
		}
	}
	return r
}

// A deed is one action of a reading.
type deed struct {
	Tool string
	Args map[string]any
}

// readings are the ones of a case that act, and whether its reply may be an answer, or asked about.
func (c testCase) readings(t testing.TB) (acting [][]deed, none, ask bool) {
	t.Helper()
	for _, raw := range c.Accept {
		var word string
		if json.Unmarshal(raw, &word) == nil {
			none, ask = none || word == "none", ask || word == "ask"
			continue
		}
		var list [][2]json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatalf("%s: reading %s: %v", c.ID, raw, err)
		}
		var deeds []deed
		for _, pair := range list {
			var d deed
			if err := json.Unmarshal(pair[0], &d.Tool); err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
			if err := json.Unmarshal(pair[1], &d.Args); err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
			deeds = append(deeds, d)
		}
		acting = append(acting, deeds)
	}
	return acting, none, ask
}

// load reads every case of a folder; where a line names no protocol, the file's name does.
func load(t testing.TB, folder string) []testCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	var all []testCase
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			c := testCase{Protocol: strings.TrimSuffix(filepath.Base(file), ".jsonl")}
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	return all
}

// world is what stands in the folder when a reply is judged.
func world(t testing.TB) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/world.json")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	if err := json.Unmarshal(data, &files); err != nil {
		t.Fatal(err)
	}
	return files
}
