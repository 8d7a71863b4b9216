package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/helper"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "plays-a-server" {
		play(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

// play is a server that finds each line wrong that has the word wrong, and says by which command and for which language it was asked; a name is
// defined where the file's first line is.
func play(command []string) {
	in, language := bufio.NewReader(os.Stdin), ""
	send := func(m map[string]any) {
		m["jsonrpc"] = "2.0"
		data, _ := json.Marshal(m)
		fmt.Printf("Content-Length: %d\r\n\r\n%s", len(data), data)
	}
	for {
		head, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		size, _ := strconv.Atoi(head.Get("Content-Length"))
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return
		}
		var r struct {
			ID     *json.RawMessage
			Method string
			Params struct {
				TextDocument   struct{ URI, LanguageID, Text string }
				ContentChanges []struct{ Text string }
			}
		}
		if json.Unmarshal(data, &r) != nil {
			return
		}
		text, place := r.Params.TextDocument.Text, map[string]any{"start": position{0, 0}, "end": position{0, 1}}
		switch r.Method {
		case "initialize":
			send(map[string]any{"id": r.ID, "result": map[string]any{"capabilities": map[string]any{}}})
		case "textDocument/definition": // one place, without a list
			send(map[string]any{"id": r.ID, "result": map[string]any{"uri": r.Params.TextDocument.URI, "range": place}})
		case "textDocument/references":
			send(map[string]any{"id": r.ID, "result": []any{}})
		case "textDocument/didOpen", "textDocument/didChange":
			for _, c := range r.Params.ContentChanges {
				text = c.Text
			}
			if r.Params.TextDocument.LanguageID != "" {
				language = r.Params.TextDocument.LanguageID
			}
			all := []any{}
			if strings.Contains(text, "wrong") {
				all = append(all, map[string]any{"range": place, "severity": 1, "message": strings.Join(command, " ") + ": " + language})
			}
			send(map[string]any{"method": "textDocument/publishDiagnostics", "params": map[string]any{"uri": r.Params.TextDocument.URI, "diagnostics": all}})
		}
	}
}

// played is a folder's hub with played servers in the place of those that are there, and the commands that it started.
func played(t *testing.T, rest time.Duration, there ...string) (h *Hub, began func() []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var commands []string
	h = New(Options{Dir: t.TempDir(), First: time.Minute, Usual: time.Minute, Rest: rest,
		Find: func(name string) string {
			if slices.Contains(there, name) {
				return "/" + name
			}
			return ""
		},
		Launch: func(command []string) (helper.Launch, error) {
			mu.Lock()
			defer mu.Unlock()
			commands = append(commands, strings.Join(command, " "))
			return helper.Launch{Command: append([]string{self, "plays-a-server"}, command...), Env: os.Environ(), Dir: "/"}, nil
		}})
	t.Cleanup(h.Close)
	return h, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(commands)
	}
}

// Each server is started as it has to be, for the files of its languages, by the names that the protocol has for those.
func TestEachServerIsStartedForItsLanguages(t *testing.T) {
	var all sync.WaitGroup
	for file, want := range map[string]string{
		"a.go": "/gopls: go", "a.ts": "/typescript-language-server --stdio: typescript", "a.tsx": "/typescript-language-server --stdio: typescriptreact",
		"a.mjs": "/typescript-language-server --stdio: javascript", "a.jsx": "/typescript-language-server --stdio: javascriptreact",
		"a.py": "/pyright-langserver --stdio: python", "a.rs": "/rust-analyzer: rust", "a.c": "/clangd --log=error: c", "a.h": "/clangd --log=error: c",
		"a.cc": "/clangd --log=error: cpp", "a.hpp": "/clangd --log=error: cpp", "a.rb": "/ruby-lsp: ruby", "a.zig": "/zls: zig",
	} {
		all.Go(func() {
			h, _ := played(t, time.Hour, "gopls", "typescript-language-server", "pyright-langserver", "pylsp", "rust-analyzer", "clangd", "ruby-lsp", "zls")
			if found := h.Fresh(t.Context(), []Edit{{file, []byte("fine"), []byte("wrong")}}); !reflect.DeepEqual(found, []Problem{{file, 1, want}}) {
				t.Errorf("%s: %+v", file, found)
			}
		})
	}
	all.Wait()
	h, _ := played(t, time.Hour, "pylsp", "solargraph") // where the first is not there another is
	found := h.Fresh(t.Context(), []Edit{{"a.py", nil, []byte("wrong")}, {"a.rb", nil, []byte("wrong")}})
	slices.SortFunc(found, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	if !reflect.DeepEqual(found, []Problem{{"a.py", 1, "/pylsp: python"}, {"a.rb", 1, "/solargraph stdio: ruby"}}) {
		t.Errorf("%+v", found)
	}
}

// Sessions of a folder have one server for all files of its languages; one that nobody asks ends, and is started again when it is needed.
func TestAServerIsSharedAndEndsWhenItRests(t *testing.T) {
	const rest = 2 * time.Second
	h, began := played(t, rest, "gopls", "clangd")
	if len(began()) != 0 {
		t.Errorf("%q before anything was asked", began())
	}
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			file := fmt.Sprint("f", i, ".go")
			if found := h.Fresh(t.Context(), []Edit{{file, []byte("fine"), []byte("wrong")}}); len(found) != 1 || found[0].Path != file {
				t.Errorf("%s: %+v", file, found)
			}
		})
	}
	all.Wait()
	if got := began(); len(got) != 1 {
		t.Errorf("one language, and %q was started", got)
	}
	for end := time.Now().Add(time.Minute); len(h.Running()) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not rest")
		}
	}
	if found := h.Fresh(t.Context(), []Edit{{"f.go", []byte("fine"), []byte("wrong")}}); len(found) != 1 || len(began()) != 2 {
		t.Errorf("after its rest: %+v, %q", found, began())
	}
}

// Where a name is defined is asked apart from where it is used.
func TestADefinitionIsOnePlace(t *testing.T) {
	h, _ := played(t, time.Hour, "gopls")
	text := []byte("package m\n\nvar x = f(1)\n")
	if err := os.WriteFile(filepath.Join(h.o.Dir, "a.go"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	tool := h.Tools(func(string) ([]byte, error) { return text, nil }, nil)[0]
	for args, want := range map[string]string{
		`{"path":"a.go","name":"f(","line":3,"definition":true}`: "a.go:1: package m\n", `{"path":"a.go","name":"f(","line":3}`: "none\n",
	} {
		p, err := tool.Propose(t.Context(), nebula.Action{ID: "a1", Tool: "references", Args: []byte(args)}, nebula.View{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		if res, err := p.Do(t.Context(), nebula.Run{}); err != nil || res.Text != want {
			t.Errorf("%s: %q %v", args, res.Text, err)
		}
	}
	if _, ok := h.Places(t.Context(), true, "a.txt", text, 3, "f"); ok {
		t.Error("something answers for a language that no server is for")
	}
}
