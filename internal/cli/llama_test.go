package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/answer"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/tool"
)

// What a reply has to be is accepted by a real llama.cpp, which makes its grammar of it, and all that it then writes is read without
// a repair: a tiny model that knows nothing goes wherever the grammar lets it. So is what the tools take, which llama.cpp's server
// holds native calls to. It installs 170 MB and compiles, so it is run by hand: NEBULA_TEST_LLAMA=1.
func TestLlamaCppWritesWhatIsRead(t *testing.T) {
	if os.Getenv("NEBULA_TEST_LLAMA") == "" {
		t.Skip("installs llama.cpp; NEBULA_TEST_LLAMA=1 runs it")
	}
	dir, convert := llama(t)
	tools := append(tool.All(nil, tool.Options{}), tool.Plans(nil)...)
	specs := make([]nebula.ToolSpec, len(tools))
	schemas := map[string]json.RawMessage{}
	for i, one := range tools {
		specs[i] = one.Spec()
		schemas[specs[i].Name] = specs[i].Schema()
	}
	schemas["reply"], schemas["talk"] = actionlist.Schema(specs), actionlist.Schema(nil)
	args := []string{nebulatest.Importing(t, dir, "testdata/llama/sample.mjs", ""), filepath.Join(t.TempDir(), "tiny.gguf"), "3000"}
	for name, schema := range schemas {
		c := exec.Command(convert)
		c.Stdin = bytes.NewReader(schema)
		grammar, err := c.Output()
		if err != nil {
			t.Fatalf("%s: no grammar comes of %s: %v", name, schema, err)
		}
		times := "2"
		if name == "reply" {
			times = "24"
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, grammar, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, times, file)
	}
	c := exec.Command("node", args...)
	c.Stderr = os.Stderr
	_, out := nebulatest.Beside(t, c)
	whole, actions := map[string]int{}, 0
	lines := bufio.NewScanner(out)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var one struct {
			Grammar, Text, Refused string
			Whole                  bool
		}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil || one.Refused != "" {
			t.Errorf("%s, %v", lines.Text(), err)
			continue
		}
		name := filepath.Base(one.Grammar)
		switch {
		case !one.Whole:
			continue
		case name == "reply" || name == "talk":
			actions += readAsWritten(t, one.Text, specs)
		default:
			if schema, err := answer.Read(schemas[name]); err != nil {
				t.Fatal(err)
			} else if _, misfit := schema.Take(one.Text); misfit != nil {
				t.Errorf("%s: %s: %v", name, one.Text, misfit)
			}
		}
		whole[name]++
	}
	t.Logf("%d replies with %d actions, and arguments of %d tools", whole["reply"], actions, len(whole)-2)
	if whole["reply"] < 12 || actions < 12 || len(whole) < len(schemas) {
		t.Errorf("too little was whole: %v", whole)
	}
}

// readAsWritten reads a reply, and gives the number of its actions.
func readAsWritten(t *testing.T, text string, specs []nebula.ToolSpec) int {
	t.Helper()
	var doc struct {
		Say     string
		Actions []struct{ Operation string }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Errorf("%q is no JSON: %v", text, err)
	}
	if strings.TrimSpace(doc.Say) == "" && len(doc.Actions) == 0 {
		return 0 // it says nothing, which the model is told
	}
	in := actionlist.Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, specs)
	form := in.Strategy == nebula.Strict || in.Strategy == nebula.Inferred // what it says of itself may be a reason to ask
	if !form || len(in.Repairs)+len(in.Problems) > 0 || len(in.Actions) != len(doc.Actions) {
		t.Errorf("%s\nis read %s with %d of %d actions, %v, %v", text, in.Strategy, len(in.Actions), len(doc.Actions), in.Repairs, in.Problems)
		return 0
	}
	for i, a := range in.Actions {
		if a.Tool != doc.Actions[i].Operation {
			t.Errorf("%s is read as %s (%s)", doc.Actions[i].Operation, a.Tool, a.Problem)
		}
	}
	return len(in.Actions)
}

// llama installs llama.cpp, and compiles what makes grammars: its own code, which it brings built beside its source.
func llama(t *testing.T) (dir, convert string) {
	t.Helper()
	dir, err := nebulatest.Packages("llama-3.22.1", "@node-llama-cpp/linux-x64/package.json", "--omit=optional", "node-llama-cpp@3.22.1", "@node-llama-cpp/linux-x64@3.22.1")
	if err != nil {
		t.Skip(err)
	}
	source := t.TempDir()
	built := filepath.Join(dir, "node_modules", "@node-llama-cpp", "linux-x64", "bins", "linux-x64")
	convert = filepath.Join(source, "convert")
	in := func(name string) string { return filepath.Join(source, "of", name) }
	does(t, "git", "init", "-q", in(""))
	does(t, "git", "-C", in(""), "fetch", "-q", filepath.Join(dir, "node_modules", "node-llama-cpp", "llama", "gitRelease.bundle"), "HEAD")
	does(t, "git", "-C", in(""), "checkout", "-q", "FETCH_HEAD", "--", "common", "include", "ggml/include", "vendor/nlohmann")
	does(t, "g++", "-std=c++17", "-I"+in("common"), "-I"+in("vendor"), "-I"+in("include"), "-I"+in("ggml/include"), "testdata/llama/convert.cpp",
		filepath.Join(built, "libllama-common.so"), "-Wl,-rpath,"+built, "-Wl,--allow-shlib-undefined", "-o", convert)
	return dir, convert
}

func does(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return string(out)
}
