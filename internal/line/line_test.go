package line

import (
	"fmt"
	"os"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestInTerminal is no test: it is the program that the terminal tests run in a terminal of their own.
func TestInTerminal(t *testing.T) {
	lang := os.Getenv("NEBULA_LINE_TERMINAL")
	if lang == "" {
		t.Skip("run by the terminal tests")
	}
	o := Options{
		In: os.Stdin, Out: os.Stdout, Lang: lang, Color: os.Getenv("NO_COLOR") == "", Spoken: os.Getenv("NEBULA_LINE_SPOKEN") != "", History: os.Getenv("NEBULA_LINE_HISTORY"),
		First: os.Getenv("NEBULA_LINE_FIRST"),
	}
	host := nebulatest.Host{
		In: nebula.Folder{Protocols: []string{"auto", "one"}, Empty: os.Getenv("NEBULA_LINE_EMPTY") != ""},
		OnOpen: func(id string) (nebula.Conversation, error) {
			return newScripted(lang, id != ""), nil
		},
		OnModels: func() ([]nebula.ModelInfo, error) {
			return []nebula.ModelInfo{{Name: "gpt-4.1-nano", Provider: "openai", Window: 1_000_000}, {Name: "gpt-4.1-mini"}}, nil
		},
		OnKeep: func(key, value string) error {
			if file := os.Getenv("NEBULA_LINE_KEEP"); file != "" {
				return appendTo(file, key+"="+value+"\n")
			}
			return nil
		},
		OnSettings: func([]string) (string, error) { return "model = gpt-4.1-nano\n", nil },
	}
	if os.Getenv("NEBULA_LINE_SESSIONS") != "" {
		host.OnSessions = func() ([]nebula.SessionInfo, error) {
			return []nebula.SessionInfo{{ID: "s1", Title: "以前の依頼", Messages: 4, Last: time.Now().Add(-time.Hour)}}, nil
		}
	}
	o.Host = host
	if os.Getenv("NEBULA_LINE_PIPE") != "" {
		o.Host = nebulatest.Piped(t.Context(), host)
	}
	if _, err := Run(t.Context(), o); err != nil {
		fmt.Println("ERROR", err)
		os.Exit(1)
	}
	os.Exit(0)
}
