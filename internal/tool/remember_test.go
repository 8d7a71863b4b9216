package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/tool"
)

// A board is what notes are pinned to, "*" before those that hold everywhere.
type board struct{ notes []string }

func (b *board) Remember(_ context.Context, note string, everywhere bool) error {
	if everywhere {
		note = "*" + note
	}
	b.notes = append(b.notes, note)
	return nil
}

func (b *board) Forget(_ context.Context, note string) (bool, error) {
	before := len(b.notes)
	b.notes = slices.DeleteFunc(b.notes, func(n string) bool { return strings.TrimPrefix(n, "*") == note })
	return len(b.notes) < before, nil
}

func TestRemember(t *testing.T) {
	nebulatest.TestTool(t, func(t *testing.T) nebulatest.Bench {
		f := newFolder(t, tool.Options{Notes: &board{notes: []string{"old"}}}, nil)
		return nebulatest.Bench{Tool: f.tool("remember"), Dir: f.d.Path(), View: f.view(),
			Good:  []json.RawMessage{json.RawMessage(`{"note":"tabs, not spaces"}`), json.RawMessage(`{"note":"old","forget":true}`)},
			Wrong: []json.RawMessage{json.RawMessage(`{"note":" "}`), json.RawMessage(`{"note":"` + strings.Repeat("long ", 30) + `"}`), json.RawMessage(`{"note":1}`)}}
	})
}

func TestNotesAreKeptUnderAGrantOnly(t *testing.T) {
	b := &board{}
	f := newFolder(t, tool.Options{Notes: b}, nil)
	p, err := f.propose("remember", args{"note": "- use\n  make check"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Do(t.Context(), nebula.Run{}); !errors.Is(err, nebula.ErrNoGrant) || len(b.notes) > 0 {
		t.Fatalf("without a grant: %v, %v", b.notes, err)
	}
	for _, a := range []args{{"note": "- use\n  make check"}, {"note": "short answers", "everywhere": true}, {"note": "use make check", "forget": true}} {
		if _, err := f.run("remember", a); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(b.notes, "|"); got != "*short answers" {
		t.Errorf("kept %q", got)
	}
	if _, err := f.run("remember", args{"note": "nothing such", "forget": true}); err == nil {
		t.Error("forgot what is not there")
	}
}

func TestNothingIsRememberedWhereThereIsNoPlaceForIt(t *testing.T) {
	for _, tt := range tool.All(nil, tool.Options{}) {
		if tt.Spec().Effect == nebula.Memory {
			t.Errorf("%s is offered", tt.Spec().Name)
		}
	}
}

func TestRememberHasAShortSchema(t *testing.T) {
	for _, tt := range tool.All(nil, tool.Options{Notes: &board{}}) {
		if s := tt.Spec(); s.Effect == nebula.Memory {
			n, err := codec.NewO200kBase().Count(s.Name + s.Description + string(s.Schema()))
			if err != nil || n > 52 {
				t.Errorf("%d tokens, %v", n, err)
			}
			t.Logf("%d tokens", n)
		}
	}
}
