// Package acp is the front end that editors show: nebula as an agent of the Agent Client Protocol, JSON-RPC over a pipe. It
// knows a [nebula.Host] and its conversations, no tool and no provider.
package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"nebula"
	"nebula/internal/owed"
)

// Options are what the front end works on.
type Options struct {
	In      io.Reader
	Out     io.Writer
	Lang    string
	Version string
	Say     func(error) string // in the person's language
	// Open gives the host of a folder, for one session, and what puts it away.
	Open func(place Place) (nebula.Host, func() error, error)
}

// A Place is where an editor wants a session.
type Place struct {
	Dir     string
	More    []string // further folders
	Servers []Server // that the editor lends to the session
	Files   *Files   // as they stand in the editor; nil where it does not tell
}

// A Server is one that speaks the Model Context Protocol: started by its command, or met at its URL.
type Server struct {
	Name    string
	Command []string
	Env     map[string]string
	URL     string
	Headers map[string]string
}

// Run serves an editor until it goes away.
func Run(ctx context.Context, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	a := &agent{options: o, ctx: ctx}
	pipe := owed.New(newBounded(o.In), o.Out)
	a.editor = sdk.NewAgentSideConnection(a, pipe, pipe)
	a.editor.SetLogger(slog.New(slog.DiscardHandler)) // what cannot be read of the editor is answered as an error
	select {
	case <-a.editor.Done():
	case <-ctx.Done():
	}
	stop()
	var errs []error
	a.talks.Range(func(_, t any) bool {
		errs = append(errs, t.(*talk).leave())
		return true
	})
	return errors.Join(errs...)
}

// The codes of JSON-RPC that nebula answers with.
const (
	wrong   = -32602
	failed  = -32603
	missing = -32002
)

// An agent answers an editor. It implements sdk.Agent and sdk.AgentLoader.
type agent struct {
	options Options
	ctx     context.Context //nolint:containedctx // of the connection: sessions outlive the requests that open them
	editor  *sdk.AgentSideConnection
	files   atomic.Bool // the editor tells and takes texts of files
	talks   sync.Map    // open sessions by their ids: *talk
}

var (
	_ sdk.Agent       = (*agent)(nil)
	_ sdk.AgentLoader = (*agent)(nil)

	_ sdk.ExtensionMethodHandler = (*agent)(nil)
)

// HandleExtensionMethod answers what stands in the place of a message that was too long. There are no other methods.
func (a *agent) HandleExtensionMethod(_ context.Context, method string, _ json.RawMessage) (any, error) {
	if method != tooLong {
		return nil, sdk.NewMethodNotFound(method)
	}
	return nil, &sdk.RequestError{Code: wrong, Message: a.options.Say(nebula.Errorf("a message of more than %d MB is not taken: link to a file in place of sending what is in it", (longest+1)>>20))}
}

// Initialize tells what nebula is and what it takes.
func (a *agent) Initialize(_ context.Context, r sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	a.files.Store(r.ClientCapabilities.Fs.ReadTextFile && r.ClientCapabilities.Fs.WriteTextFile)
	return sdk.InitializeResponse{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		AgentInfo:       &sdk.Implementation{Name: "nebula", Title: sdk.Ptr("nebula"), Version: a.options.Version},
		AuthMethods:     []sdk.AuthMethod{},
		AgentCapabilities: sdk.AgentCapabilities{
			LoadSession:         true,
			PromptCapabilities:  sdk.PromptCapabilities{Image: true, EmbeddedContext: true},
			McpCapabilities:     sdk.McpCapabilities{Http: true},
			SessionCapabilities: sdk.SessionCapabilities{List: &sdk.SessionListCapabilities{}, Resume: &sdk.SessionResumeCapabilities{}, Close: &sdk.SessionCloseCapabilities{}},
		},
	}, nil
}

// Authenticate does nothing: keys come from the environment, the settings or nebula login.
func (a *agent) Authenticate(context.Context, sdk.AuthenticateRequest) (sdk.AuthenticateResponse, error) {
	return sdk.AuthenticateResponse{}, nil
}

// NewSession begins a session in a folder.
func (a *agent) NewSession(ctx context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	t, err := a.open("", placeOf(r.Cwd, r.AdditionalDirectories, r.McpServers), false)
	if err != nil {
		return sdk.NewSessionResponse{}, err
	}
	modes, choices := t.choices(ctx)
	return sdk.NewSessionResponse{SessionId: t.id, Modes: modes, ConfigOptions: choices}, nil
}

// LoadSession goes on with a session, and shows all of it first.
func (a *agent) LoadSession(ctx context.Context, r sdk.LoadSessionRequest) (sdk.LoadSessionResponse, error) {
	t, err := a.open(string(r.SessionId), placeOf(r.Cwd, r.AdditionalDirectories, r.McpServers), true)
	if err != nil {
		return sdk.LoadSessionResponse{}, err
	}
	modes, choices := t.choices(ctx)
	return sdk.LoadSessionResponse{Modes: modes, ConfigOptions: choices}, nil
}

// ResumeSession goes on with a session without showing what was.
func (a *agent) ResumeSession(ctx context.Context, r sdk.ResumeSessionRequest) (sdk.ResumeSessionResponse, error) {
	t, err := a.open(string(r.SessionId), placeOf(r.Cwd, r.AdditionalDirectories, r.McpServers), false)
	if err != nil {
		return sdk.ResumeSessionResponse{}, err
	}
	modes, choices := t.choices(ctx)
	return sdk.ResumeSessionResponse{Modes: modes, ConfigOptions: choices}, nil
}

func placeOf(dir string, more []string, lent []sdk.McpServer) Place {
	return Place{Dir: dir, More: more, Servers: servers(lent)}
}

// open opens a session, or begins one, and follows it from now on.
func (a *agent) open(id string, at Place, shown bool) (*talk, error) {
	if !filepath.IsAbs(at.Dir) {
		return nil, &sdk.RequestError{Code: wrong, Message: a.options.Say(nebula.Errorf("the folder %q is no absolute path", at.Dir))}
	}
	if before, ok := a.talks.LoadAndDelete(sdk.SessionId(id)); ok { // an editor that asks for it again has forgotten the first
		_ = before.(*talk).leave()
	}
	if a.files.Load() {
		at.Files = &Files{agent: a}
	}
	host, leave, err := a.options.Open(at)
	if err != nil {
		return nil, a.refused(err)
	}
	c, err := host.Open(a.ctx, id) // it outlives the request
	if err != nil {
		return nil, a.refused(errors.Join(err, leave()))
	}
	t := &talk{agent: a, host: host, conversation: c, away: leave, inbox: make(chan request)}
	err = t.begin(a.ctx, shown)
	if err == nil && !same(t.started.Dir, at.Dir) { // its paths would be shown as those of another folder
		t.stop()
		err = nebula.Errorf("session %s is one of the folder %s", t.id, t.started.Dir)
	}
	if err != nil {
		return nil, a.refused(errors.Join(err, leave()))
	}
	a.talks.Store(t.id, t)
	if at.Files != nil {
		at.Files.session.Store(&t.id)
	}
	return t, nil
}

// same reports whether two paths lead to one folder.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// refused is an error as an editor shows it: its message is all that most show.
func (a *agent) refused(err error) error {
	if e, ok := errors.AsType[*sdk.RequestError](err); ok {
		return e
	}
	return &sdk.RequestError{Code: failed, Message: a.options.Say(err)}
}

// ListSessions lists a folder's sessions.
func (a *agent) ListSessions(ctx context.Context, r sdk.ListSessionsRequest) (sdk.ListSessionsResponse, error) {
	all := sdk.ListSessionsResponse{Sessions: []sdk.SessionInfo{}}
	if r.Cwd == nil {
		return all, nil
	}
	host, leave, err := a.options.Open(Place{Dir: *r.Cwd})
	if err != nil {
		return all, a.refused(err)
	}
	defer func() { _ = leave() }() // it was only read
	list, err := host.Sessions(ctx, "")
	if err != nil {
		return all, a.refused(err)
	}
	for _, s := range list {
		all.Sessions = append(all.Sessions, sdk.SessionInfo{Cwd: *r.Cwd, SessionId: sdk.SessionId(s.ID), Title: &s.Title, UpdatedAt: sdk.Ptr(s.Last.UTC().Format(time.RFC3339))})
	}
	return all, nil
}

// CloseSession ends a session; it can be gone on with later.
func (a *agent) CloseSession(_ context.Context, r sdk.CloseSessionRequest) (sdk.CloseSessionResponse, error) {
	t, ok := a.talks.LoadAndDelete(r.SessionId)
	if !ok {
		return sdk.CloseSessionResponse{}, unknown(r.SessionId)
	}
	return sdk.CloseSessionResponse{}, t.(*talk).leave()
}

// Prompt carries a message through its turn.
func (a *agent) Prompt(ctx context.Context, r sdk.PromptRequest) (sdk.PromptResponse, error) {
	t, err := a.talk(r.SessionId)
	if err != nil {
		return sdk.PromptResponse{}, err
	}
	text, images, err := message(r.Prompt)
	if err != nil {
		return sdk.PromptResponse{}, &sdk.RequestError{Code: wrong, Message: a.options.Say(err)}
	}
	return t.prompt(ctx, text, images)
}

// Cancel stops the turn under way.
func (a *agent) Cancel(ctx context.Context, r sdk.CancelNotification) error {
	t, err := a.talk(r.SessionId)
	if err != nil {
		return err
	}
	return t.conversation.Send(ctx, nebula.Cancel{})
}

// SetSessionMode chooses whether the session plans or acts.
func (a *agent) SetSessionMode(ctx context.Context, r sdk.SetSessionModeRequest) (sdk.SetSessionModeResponse, error) {
	t, err := a.talk(r.SessionId)
	if err != nil {
		return sdk.SetSessionModeResponse{}, err
	}
	if err := t.conversation.Send(ctx, nebula.Switch{Mode: nebula.Mode(r.ModeId)}); err != nil {
		return sdk.SetSessionModeResponse{}, a.refused(err)
	}
	return sdk.SetSessionModeResponse{}, nil
}

// SetSessionConfigOption chooses the model, its protocol, or what runs without being asked.
func (a *agent) SetSessionConfigOption(ctx context.Context, r sdk.SetSessionConfigOptionRequest) (sdk.SetSessionConfigOptionResponse, error) {
	v := r.ValueId
	if v == nil {
		return sdk.SetSessionConfigOptionResponse{}, sdk.NewInvalidParams("a value of the list is needed")
	}
	t, err := a.talk(v.SessionId)
	if err != nil {
		return sdk.SetSessionConfigOptionResponse{}, err
	}
	choice, ok := settings[v.ConfigId]
	if !ok {
		return sdk.SetSessionConfigOptionResponse{}, sdk.NewInvalidParams(fmt.Sprintf("there is no option %s", v.ConfigId))
	}
	chosen := choice(string(v.Value))
	if err := t.conversation.Send(ctx, chosen); err != nil {
		return sdk.SetSessionConfigOptionResponse{}, a.refused(err)
	}
	t.holds(chosen) // its event may come after the answer
	_, choices := t.choices(ctx)
	return sdk.SetSessionConfigOptionResponse{ConfigOptions: choices}, nil
}

func (a *agent) talk(id sdk.SessionId) (*talk, error) {
	t, ok := a.talks.Load(id)
	if !ok {
		return nil, unknown(id)
	}
	return t.(*talk), nil
}

//go:noinline
func unknown(id sdk.SessionId) error {
	return &sdk.RequestError{Code: missing, Message: fmt.Sprintf("session %s is not open", id)}
}
