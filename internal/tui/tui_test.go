//go:build !windows

package tui

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestInTerminal is no test: it is the program that the terminal tests run in a terminal of their own.
func TestInTerminal(t *testing.T) {
	lang := os.Getenv("NEBULA_TUI_TERMINAL")
	if lang == "" {
		t.Skip("run by the terminal tests")
	}
	o := Options{
		In: os.Stdin, Out: os.Stdout, Lang: lang, Depth: DepthOf(os.Getenv), Inline: os.Getenv("NEBULA_TUI_INLINE") != "",
		Ambiguous: os.Getenv("NEBULA_TUI_AMBIGUOUS"), Theme: os.Getenv("NEBULA_TUI_THEME"),
		Now: func() time.Time { return noon }, First: os.Getenv("NEBULA_TUI_FIRST"),
	}
	var talk atomic.Pointer[scripted]
	host := nebulatest.Host{
		In: nebula.Folder{Dir: "/work/todo", Model: "gpt-4.1-nano", Protocol: "auto", Mode: nebula.AgentMode, Protocols: []string{"auto", "one"}, Empty: os.Getenv("NEBULA_TUI_EMPTY") != ""},
		OnOpen: func(id string) (nebula.Conversation, error) {
			talk.Store(newScripted(lang, id != ""))
			return talk.Load(), nil
		},
		OnModels: func() ([]nebula.ModelInfo, error) {
			return []nebula.ModelInfo{{Name: "gpt-4.1-nano", Provider: "first", Window: 1_000_000}, {Name: "gpt-4.1-mini", InputUSD: 0.4, OutputUSD: 1.6}}, nil
		},
		OnStatus: func(string) (string, error) {
			return "session: s1 · /work/todo\nmoves:\n  PLANNING → EXECUTION · IN_PROGRESS (model)\n  EXECUTION → REVIEW · IN_PROGRESS (nothing left to do)\nlimits: steps 3/50 · tokens 1234/no limit\n", nil
		},
		OnUndoable: func(_ string, redo bool) (nebula.Undoable, error) {
			return talk.Load().undoable(redo), nil
		},
		OnSettings: func([]string) (string, error) {
			return "model = gpt-4.1-nano (from the default)\nlang = en (from the environment)\n", nil
		},
		OnModel: func(name string) nebula.ModelInfo { return nebula.ModelInfo{Name: name, Window: 4000} },
		OnFiles: func() ([]string, error) {
			return []string{"cmd/main.go", "domain/todo.go", "domain/todo_test.go", "docs/日本語.md"}, nil
		},
	}
	if os.Getenv("NEBULA_TUI_SESSIONS") != "" {
		host.OnSessions = func() ([]nebula.SessionInfo, error) {
			return []nebula.SessionInfo{{ID: "s1", Title: "以前の依頼", Model: "gpt-4.1-nano", Messages: 4, Last: noon.Add(-time.Hour)}}, nil
		}
	}
	kept := os.Getenv("NEBULA_TUI_KEEP")
	var keyed atomic.Bool
	host.OnKeep = func(key, value string) error {
		if strings.HasSuffix(key, ".key") {
			keyed.Store(true)
			return nil
		}
		f, err := os.OpenFile(kept, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = fmt.Fprintf(f, "%s=%s\n", key, value)
		return err
	}
	if way := os.Getenv("NEBULA_TUI_NOKEY"); way != "" {
		host.OnOpen = func(string) (nebula.Conversation, error) {
			if _, err := os.Stat(kept); err == nil && way == "local" {
				return newScripted(lang, false), nil
			}
			return nil, &nebula.APIError{Kind: "auth", Text: "there is no key"}
		}
		host.In.Providers = []nebula.KeySource{{Name: "first", Title: "First", Where: "first.example/keys"}}
		if models := host.OnModels; way != "local" {
			host.OnModels = func() ([]nebula.ModelInfo, error) {
				if !keyed.Load() {
					return nil, nil
				}
				return models()
			}
		}
		o.Demo = []string{"true"}
	}
	if messages := os.Getenv("NEBULA_TUI_SCRIPT"); messages != "" {
		o.Script = &Script{Messages: strings.Split(messages, ","), Answers: []string{"no", "file", "yes"}, Pause: 700 * time.Millisecond, Key: 10 * time.Millisecond, End: "that was all"}
	}
	if file := os.Getenv("NEBULA_TUI_PID"); file != "" {
		if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	switch where := os.Getenv("NEBULA_TUI_PANIC"); where {
	case "own":
		host.OnModel = func(string) nebula.ModelInfo { panic("a defect") }
	case "send", "events", "elsewhere":
		host.OnOpen = func(string) (nebula.Conversation, error) {
			return &broken{newScripted(lang, false), where}, nil
		}
	}
	o.Host = host
	if os.Getenv("NEBULA_TUI_PIPE") != "" {
		o.Host = nebulatest.Piped(t.Context(), host)
	}
	if err := Run(t.Context(), o); err != nil {
		fmt.Println("ERROR", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestWordsAreWhole looks for texts that a language lacks.
func TestWordsAreWhole(t *testing.T) {
	nebulatest.TestWords(t, "tui", wordsFor("en"))
	en := reflect.ValueOf(wordsFor("en"))
	for i := range en.NumField() {
		if f := en.Type().Field(i); !f.Anonymous && en.Field(i).Len() == 0 {
			t.Errorf("%s lacks a text", f.Name)
		}
	}
}
