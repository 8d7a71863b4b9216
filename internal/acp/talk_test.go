package acp

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"nebula"
	"nebula/internal/nebulatest"
)

// A played session has begun in some way, hears commands, and then does what it is told.
type played struct {
	past  []nebula.Event
	to    chan nebula.Event
	heard chan nebula.Command
}

func (p *played) Send(_ context.Context, c nebula.Command) error { p.heard <- c; return nil }

func (p *played) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		for i, e := range p.past {
			if (after != nebula.FromOpening || i == len(p.past)-1) && !yield(e) {
				return
			}
		}
		for after != nebula.FromOpening {
			select {
			case e := <-p.to:
				if !yield(e) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// An editor is the other end of the protocol, of what a test looks at.
type editor struct {
	sdk.Client
	told    chan sdk.SessionUpdate
	asked   chan sdk.RequestPermissionRequest
	answers chan sdk.PermissionOptionId
}

func (e *editor) SessionUpdate(_ context.Context, n sdk.SessionNotification) error {
	e.told <- n.Update
	return nil
}

func (e *editor) RequestPermission(_ context.Context, r sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error) {
	e.asked <- r
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(<-e.answers)}, nil
}

// next is the first update that fits.
func (e *editor) next(t *testing.T, what string, fits func(sdk.SessionUpdate) bool) {
	t.Helper()
	for end := time.After(20 * time.Second); ; {
		select {
		case u := <-e.told:
			if fits(u) {
				return
			}
		case <-end:
			t.Fatalf("%s: it is not told", what)
		}
	}
}

// edited opens a session of some past in an editor.
func edited(t *testing.T, past ...nebula.Body) (*played, *editor, *sdk.ClientSideConnection, *Place, sdk.NewSessionResponse) {
	t.Helper()
	dir := t.TempDir()
	p := &played{to: make(chan nebula.Event, 10), heard: make(chan nebula.Command, 10)}
	for i, b := range append([]nebula.Body{nebula.Started{Session: "s1", Dir: dir, Lang: "en", Model: "m", Protocol: "auto", Mode: nebula.AgentMode}}, past...) {
		p.past = append(p.past, nebula.Event{Seq: int64(i + 1), Body: b})
	}
	host := nebulatest.Host{In: nebula.Folder{Dir: dir, Model: "m", Protocol: "auto", Protocols: []string{"auto", "dml"}, Mode: nebula.AgentMode, Approve: "ask"},
		OnModels: func() ([]nebula.ModelInfo, error) { return []nebula.ModelInfo{{Name: "m"}, {Name: "n"}}, nil },
		OnOpen:   func(string) (nebula.Conversation, error) { return p, nil }}
	at := &Place{}
	toAgent, fromEditor := io.Pipe()
	toEditor, fromAgent := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(context.Background(), Options{In: toAgent, Out: fromAgent, Lang: "en", Say: func(err error) string { return err.Error() },
			Open: func(place Place) (nebula.Host, func() error, error) {
				*at = place
				return host, func() error { return nil }, nil
			}})
	}()
	e := &editor{told: make(chan sdk.SessionUpdate, 100), asked: make(chan sdk.RequestPermissionRequest, 10), answers: make(chan sdk.PermissionOptionId, 10)}
	c := sdk.NewClientSideConnection(e, fromEditor, toEditor)
	t.Cleanup(func() {
		_ = fromEditor.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	begun, err := c.NewSession(t.Context(), sdk.NewSessionRequest{Cwd: dir, McpServers: []sdk.McpServer{
		{Stdio: &sdk.McpServerStdio{Name: "near", Command: "/bin/near", Args: []string{"-x"}, Env: []sdk.EnvVariable{{Name: "K", Value: "v"}}}},
		{Http: &sdk.McpServerHttpInline{Name: "far", Type: "http", Url: "https://far.example/mcp", Headers: []sdk.HttpHeader{{Name: "H", Value: "w"}}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return p, e, c, at, begun
}

// shown is what an editor shows as chosen, in order.
func shown(list []sdk.SessionConfigOption) (all []string) {
	for _, o := range list {
		all = append(all, fmt.Sprintf("%s=%s", o.Select.Id, o.Select.CurrentValue))
	}
	slices.Sort(all)
	return all
}

// What is chosen in an editor reaches the session, and what the session has is what the editor shows: also of a session that was
// gone on with, and of what was chosen elsewhere.
func TestAnEditorShowsWhatTheSessionHas(t *testing.T) {
	p, e, c, _, begun := edited(t, nebula.Switched{Mode: nebula.PlanMode, Model: "n"}, nebula.Switched{Approve: "edits"})
	if got := shown(begun.ConfigOptions); !slices.Equal(got, []string{"approve=edits", "model=n", "protocol=auto"}) || begun.Modes.CurrentModeId != sdk.SessionModeId(nebula.PlanMode) {
		t.Errorf("it is opened with %v, %s", got, begun.Modes.CurrentModeId)
	}
	if _, err := c.SetSessionMode(t.Context(), sdk.SetSessionModeRequest{SessionId: "s1", ModeId: "agent"}); err != nil || <-p.heard != (nebula.Switch{Mode: nebula.AgentMode}) {
		t.Error("the mode is not chosen", err)
	}
	p.to <- nebula.Event{Seq: 10, Body: nebula.Switched{Mode: nebula.AgentMode}}
	e.next(t, "the mode", func(u sdk.SessionUpdate) bool {
		return u.CurrentModeUpdate != nil && u.CurrentModeUpdate.CurrentModeId == "agent"
	})
	for _, s := range []struct {
		id, value string
		sends     nebula.Switch
		shows     []string
	}{
		{"model", "m", nebula.Switch{Model: "m"}, []string{"approve=edits", "model=m", "protocol=auto"}},
		{"protocol", "dml", nebula.Switch{Protocol: "dml"}, []string{"approve=edits", "model=m", "protocol=dml"}},
		{"approve", "ask", nebula.Switch{Approve: "ask"}, []string{"approve=ask", "model=m", "protocol=dml"}},
	} {
		r, err := c.SetSessionConfigOption(t.Context(), sdk.SetSessionConfigOptionRequest{ValueId: &sdk.SetSessionConfigOptionValueId{SessionId: "s1", ConfigId: sdk.SessionConfigId(s.id), Value: sdk.SessionConfigValueId(s.value)}})
		if err != nil {
			t.Fatal(err)
		}
		if sent := <-p.heard; sent != s.sends || !slices.Equal(shown(r.ConfigOptions), s.shows) {
			t.Errorf("%s: %+v is sent, %v shown", s.id, sent, shown(r.ConfigOptions))
		}
	}
	if _, err := c.SetSessionConfigOption(t.Context(), sdk.SetSessionConfigOptionRequest{ValueId: &sdk.SetSessionConfigOptionValueId{SessionId: "s1", ConfigId: "colour", Value: "x"}}); err == nil || len(p.heard) > 0 {
		t.Error("an option that there is not is taken")
	}
	p.to <- nebula.Event{Seq: 11, Body: nebula.Switched{Model: "n", Why: "it did better"}}
	e.next(t, "another model", func(u sdk.SessionUpdate) bool {
		return u.ConfigOptionUpdate != nil && slices.Equal(shown(u.ConfigOptionUpdate.ConfigOptions), []string{"approve=ask", "model=n", "protocol=dml"})
	})
}

// What goes on is shown as what it is: a thought as one, a plan's steps as they stand.
func TestAnEditorIsToldThoughtsAndPlans(t *testing.T) {
	p, e, _, _, _ := edited(t)
	p.to <- nebula.Event{Seq: 5, Body: nebula.Submitted{Turn: 1, Text: "go"}}
	p.to <- nebula.Event{Body: nebula.Streamed{Kind: "thought", Text: "hm"}}
	e.next(t, "a thought", func(u sdk.SessionUpdate) bool {
		return u.AgentThoughtChunk != nil && strings.Contains(u.AgentThoughtChunk.Content.Text.Text, "hm")
	})
	p.to <- nebula.Event{Body: nebula.Streamed{Kind: "text", Text: "so be it"}}
	e.next(t, "a text", func(u sdk.SessionUpdate) bool {
		return u.AgentMessageChunk != nil && strings.Contains(u.AgentMessageChunk.Content.Text.Text, "so be it")
	})
	plan := nebula.Plan{ID: "plan_1", Name: "p", Status: nebula.Approved, Steps: []nebula.PlanStep{{ID: "a", Name: "first", Status: nebula.Pending}, {ID: "b", Name: "second", Status: nebula.Pending}}}
	p.to <- nebula.Event{Seq: 6, Body: nebula.Planned{Plan: plan}}
	for i, want := range []string{"first pending second pending", "first in_progress second pending", "first completed second pending"} {
		if i > 0 {
			step := plan.Steps[0]
			step.Status = map[int]nebula.Stage{1: nebula.InProgress, 2: nebula.Completed}[i]
			p.to <- nebula.Event{Seq: int64(6 + i), Body: nebula.Stepped{Plan: "plan_1", Step: step}}
		}
		e.next(t, want, func(u sdk.SessionUpdate) bool {
			if u.Plan == nil {
				return false
			}
			var got []string
			for _, entry := range u.Plan.Entries {
				got = append(got, entry.Content, string(entry.Status))
			}
			return strings.Join(got, " ") == want
		})
	}
}

// Always is offered where it would hold, and holds nothing where it was not offered.
func TestAlwaysIsOfferedWhereItHolds(t *testing.T) {
	p, e, _, _, _ := edited(t)
	for i, c := range []struct {
		proposal nebula.Proposal
		offered  bool
		given    sdk.PermissionOptionId
		want     nebula.Decided
	}{
		{nebula.Proposal{Effect: nebula.Execute, Command: "go test ./..."}, true, always, nebula.Always},
		{nebula.Proposal{Effect: nebula.Execute, Command: "go test ./..."}, true, yes, nebula.Yes},
		{nebula.Proposal{Effect: nebula.Execute, Command: "go test ./..."}, true, "nonsense", nebula.No},
		{nebula.Proposal{Effect: nebula.Memory, Summary: "remember it"}, false, always, nebula.No},
	} {
		id := fmt.Sprint("a", i)
		c.proposal.Action = nebula.Action{ID: id, Tool: "t"}
		p.to <- nebula.Event{Seq: int64(20 + 2*i), Body: nebula.Proposed{Proposal: c.proposal}}
		p.to <- nebula.Event{Seq: int64(21 + 2*i), Body: nebula.Asked{Ask: "q" + id, Action: id}}
		r := <-e.asked
		if offered := slices.ContainsFunc(r.Options, func(o sdk.PermissionOption) bool { return o.Kind == sdk.PermissionOptionKindAllowAlways }); offered != c.offered {
			t.Errorf("%s%s: always is offered: %v", c.proposal.Command, c.proposal.Summary, offered)
		}
		e.answers <- c.given
		if a := (<-p.heard).(nebula.Answer); a.Ask != "q"+id || a.Answer != c.want || a.By != nebula.Person {
			t.Errorf("%s for %s%s is taken for %+v", c.given, c.proposal.Command, c.proposal.Summary, a)
		}
	}
}

// What an editor sends with a message, and lends to a session, arrives.
func TestWhatAnEditorSendsArrives(t *testing.T) {
	p, _, c, at, _ := edited(t)
	if want := []Server{{Name: "near", Command: []string{"/bin/near", "-x"}, Env: map[string]string{"K": "v"}}, {Name: "far", URL: "https://far.example/mcp", Headers: map[string]string{"H": "w"}}}; !reflect.DeepEqual(at.Servers, want) {
		t.Errorf("the servers that are lent are %+v", at.Servers)
	}
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	picture := base64.StdEncoding.EncodeToString(drawn.Bytes())
	blob := func(data string) sdk.ContentBlock {
		return sdk.ResourceBlock(sdk.EmbeddedResourceResource{BlobResourceContents: &sdk.BlobResourceContents{Uri: "file:///w/b.png", Blob: data}})
	}
	for name, s := range map[string]struct {
		blocks []sdk.ContentBlock
		text   string
		images int
		wrong  string
	}{
		"words":            {[]sdk.ContentBlock{sdk.TextBlock("do "), sdk.TextBlock("it")}, "do it", 0, ""},
		"a linked file":    {[]sdk.ContentBlock{sdk.TextBlock("see "), sdk.ResourceLinkBlock("a b.go", "file:///w/a%20b.go")}, "see @/w/a b.go", 0, ""},
		"a buffer":         {[]sdk.ContentBlock{sdk.ResourceBlock(sdk.EmbeddedResourceResource{TextResourceContents: &sdk.TextResourceContents{Uri: "file:///w/a.go", Text: "package unsaved"}}), sdk.TextBlock(" now")}, "@/w/a.go now\n\n/w/a.go:\n```\npackage unsaved\n```", 0, ""},
		"a picture":        {[]sdk.ContentBlock{sdk.TextBlock("look"), sdk.ImageBlock(picture, "image/png")}, "look", 1, ""},
		"an embedded one":  {[]sdk.ContentBlock{blob(picture)}, "@/w/b.png", 1, ""},
		"no picture":       {[]sdk.ContentBlock{blob(base64.StdEncoding.EncodeToString([]byte("\x00\x01")))}, "", 0, "/w/b.png is not shown"},
		"a broken picture": {[]sdk.ContentBlock{sdk.ImageBlock("%", "image/png")}, "", 0, "cannot be read"},
		"a sound":          {[]sdk.ContentBlock{sdk.AudioBlock("AA==", "audio/wav")}, "", 0, "does not take"},
	} {
		ended := make(chan error, 1)
		go func() {
			_, err := c.Prompt(t.Context(), sdk.PromptRequest{SessionId: "s1", Prompt: s.blocks})
			ended <- err
		}()
		if s.wrong != "" {
			if err := <-ended; err == nil || !strings.Contains(err.Error(), s.wrong) || len(p.heard) > 0 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if got := (<-p.heard).(nebula.Submit); strings.TrimSpace(got.Text) != s.text || len(got.Images) != s.images {
			t.Errorf("%s: %q, %d pictures", name, got.Text, len(got.Images))
		}
		p.to <- nebula.Event{Seq: 5, Body: nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnDone}}}
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
