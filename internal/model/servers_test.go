package model_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model/anthropic"
	"nebula/internal/model/chat"
	"nebula/internal/model/gemini"
	"nebula/internal/model/responses"
	"nebula/internal/model/transport"
	"nebula/internal/nebulatest"
)

// foreign are a server that speaks every provider's form, the providers' own types of requests, and what reads those.
var foreign = []string{"@copilotkit/aimock@1.43.0", "openai@6.49.0", "@anthropic-ai/sdk@1.12.0", "@google/genai@2.32.0", "typescript@5.9.3"}

// installed is a folder with all of them, which is made once for all runs of the tests.
func installed(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a server of another's making")
	}
	dir, err := nebulatest.Packages("servers-"+nebula.Hash([]byte(strings.Join(foreign, " ")))[:8], "@copilotkit/aimock/package.json", foreign...)
	if err != nil {
		nebulatest.Missing(t, err)
	}
	return dir
}

// adapters are the forms, by the names of their types.
func adapters(base string, thinks bool) map[string]transport.Adapter {
	at := func(path, name string) transport.Endpoint {
		return transport.Endpoint{BaseURL: base + path, Key: "k", Model: name}
	}
	info := nebula.ModelInfo{MaxOutput: 64000, Thinks: thinks}
	return map[string]transport.Adapter{
		"Chat":      chat.New(at("/v1", "gpt-4.1"), chat.Dialect{Usage: true, ModernMax: true, Schema: true, CacheKey: true}, true),
		"Responses": responses.New(at("/v1", "gpt-5")),
		"Messages":  anthropic.New(at("/v1", "claude-sonnet-4-5"), info),
		"Gemini":    gemini.New(at("/v1beta", "gemini-2.5-flash"), info),
	}
}

var weather = []nebula.ToolSpec{{Name: "weather", Description: "Tells the weather.", Params: []nebula.Param{{Name: "location", Type: "string", Required: true}}}}

func TestAConversationWithAnothersServer(t *testing.T) {
	c := exec.Command("node", nebulatest.Importing(t, installed(t), "testdata/servers/serve.mjs", ""))
	c.Stderr = os.Stderr
	_, out := nebulatest.Beside(t, c)
	base := ""
	for lines := bufio.NewScanner(out); base == "" && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "http") {
			base = lines.Text()
		}
	}
	for form, a := range adapters(base, true) {
		t.Run(form, func(t *testing.T) {
			m := transport.New(transport.Endpoint{BaseURL: base, Model: "m"}, nebula.ModelInfo{}, a, transport.Service{}, transport.Options{Attempts: 1})
			p := nebula.Prompt{System: "Be brief.", Tools: weather, MaxOutput: 30000, CacheKey: "s1", Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("How is the weather in Oslo?")}}}
			r, err := nebula.Collect(m.Stream(t.Context(), p), nil)
			if err != nil || r.Finish != "tool_calls" || len(r.Calls()) != 1 || r.Calls()[0].Name != "weather" || !strings.Contains(r.Calls()[0].Arguments, "Oslo") {
				t.Fatalf("%+v, %v", r, err)
			}
			p.Messages = append(p.Messages, nebula.Message{Role: nebula.Assistant, Parts: r.Parts}, nebula.Message{Role: nebula.ToolRole, CallID: r.Calls()[0].ID, Parts: nebula.Text("5 degrees")})
			r, err = nebula.Collect(m.Stream(t.Context(), p), nil)
			if err != nil || r.Finish != "stop" || r.Text() != "It is cold in Oslo." {
				t.Fatalf("%+v, %v", r, err)
			}
		})
	}
}

// Every request is one by the providers' own types, with all that may stand in it.
func TestRequestsFitTheProvidersOwnTypes(t *testing.T) {
	dir := installed(t)
	picture := nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{1, 2, 3}}, nebula.Image{Type: nebula.PDF, Data: []byte("%PDF-1.7"), Pages: 1})
	own := func(of, value string) *nebula.Opaque { return &nebula.Opaque{Of: of, Value: []byte(value)} }
	said := nebula.Parts{
		{Kind: nebula.ReasoningPart, Text: "hm", Opaque: own(responses.Name, `{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"content":[],"encrypted_content":"e=="}`)},
		{Kind: nebula.ReasoningPart, Text: "hm", Opaque: own(anthropic.Name, `"s=="`)},
		{Kind: nebula.ReasoningPart, Opaque: own(anthropic.Name, `{"type":"redacted_thinking","data":"r=="}`)},
		{Kind: nebula.TextPart, Text: "I look.", Opaque: own(responses.Name, `"commentary"`)},
		{Kind: nebula.CallPart, Call: &nebula.Call{ID: "c1", Name: "weather", Arguments: `{"location":"Oslo"}`}, Opaque: own(gemini.Name, `"s=="`)},
		{Kind: nebula.CallPart, Call: &nebula.Call{ID: "c2", Name: "weather", Arguments: ``}},
	}
	p := nebula.Prompt{System: "Be brief.", Tools: weather, MaxOutput: 40000, CacheKey: "s1", Messages: []nebula.Message{
		{Role: nebula.User, Parts: append(nebula.Text("How is it?"), picture...)}, {Role: nebula.Assistant, Parts: said},
		{Role: nebula.ToolRole, CallID: "c1", Parts: append(nebula.Text("5 degrees"), picture...)}, {Role: nebula.ToolRole, CallID: "c2", Parts: nebula.Text("none")},
		{Role: nebula.User, Parts: nebula.Text("go on")}}}
	var code strings.Builder
	for _, effort := range append(nebula.Efforts(), "") {
		for _, schema := range []string{"", `{"type":"object","properties":{}}`} {
			p.Effort, p.Schema = effort, []byte(schema)
			for form, a := range adapters("http://x", true) {
				body := string(a.Ask(p).Body)
				if n := strings.Count(body, "JVBERi0xLjc"); n != 2 {
					t.Errorf("%s: %d documents: %s", form, n, body)
				}
				_, _ = fmt.Fprintf(&code, "\n(%s) satisfies %s;", body, form)
			}
		}
	}
	three := gemini.New(transport.Endpoint{Model: "gemini-3-pro-preview"}, nebula.ModelInfo{})
	opus := anthropic.New(transport.Endpoint{Model: "claude-opus-4-6"}, nebula.ModelInfo{MaxOutput: 64000})
	for _, effort := range nebula.Efforts() {
		p.Effort = effort
		_, _ = fmt.Fprintf(&code, "\n(%s) satisfies Gemini;\n(%s) satisfies Messages;", three.Ask(p).Body, opus.Ask(p).Body)
	}
	file := nebulatest.Importing(t, dir, "testdata/servers/forms.ts", code.String())
	check := exec.Command("node", filepath.Join(dir, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", file)
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.4000s", err, out)
	}
}
