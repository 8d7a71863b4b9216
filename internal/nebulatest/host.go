package nebulatest

import (
	"context"
	"io"

	"nebula"
	"nebula/internal/wire"
)

// A Host is a nebula.Host of the answers that a test gives. What it gives none for has nothing in it.
type Host struct {
	In         nebula.Folder
	OnOpen     func(id string) (nebula.Conversation, error)
	OnSessions func() ([]nebula.SessionInfo, error)
	OnModels   func() ([]nebula.ModelInfo, error)
	OnModel    func(name string) nebula.ModelInfo
	OnSettings func(args []string) (string, error)
	OnKeep     func(key, value string) error
	OnStatus   func(session string) (string, error)
	OnUndoable func(session string, redo bool) (nebula.Undoable, error)
	OnFiles    func() ([]string, error)
	OnCommands func() []nebula.CommandInfo
}

var _ nebula.Host = Host{}

// Folder implements nebula.Host.
func (h Host) Folder(context.Context) (nebula.Folder, error) { return h.In, nil }

// Open implements nebula.Host.
func (h Host) Open(_ context.Context, id string) (nebula.Conversation, error) {
	if h.OnOpen == nil {
		return nil, nebula.ErrNoSession
	}
	return h.OnOpen(id)
}

// Sessions implements nebula.Host.
func (h Host) Sessions(context.Context, string) ([]nebula.SessionInfo, error) {
	if h.OnSessions == nil {
		return nil, nil
	}
	return h.OnSessions()
}

// Plans implements nebula.Host.
func (h Host) Plans(context.Context) ([]nebula.PlanInfo, error) { return nil, nil }

// Models implements nebula.Host.
func (h Host) Models(context.Context) ([]nebula.ModelInfo, error) {
	if h.OnModels == nil {
		return nil, nil
	}
	return h.OnModels()
}

// Model implements nebula.Host.
func (h Host) Model(_ context.Context, name string) (nebula.ModelInfo, error) {
	if h.OnModel == nil {
		return nebula.ModelInfo{Name: name}, nil
	}
	return h.OnModel(name), nil
}

// Settings implements nebula.Host.
func (h Host) Settings(_ context.Context, args []string) (string, error) {
	if h.OnSettings == nil {
		return "", nil
	}
	return h.OnSettings(args)
}

// Keep implements nebula.Host.
func (h Host) Keep(_ context.Context, key, value string) error {
	if h.OnKeep == nil {
		return nil
	}
	return h.OnKeep(key, value)
}

// Status implements nebula.Host.
func (h Host) Status(_ context.Context, session string) (string, error) {
	if h.OnStatus == nil {
		return "", nil
	}
	return h.OnStatus(session)
}

// Undoable implements nebula.Host.
func (h Host) Undoable(_ context.Context, session string, redo bool) (nebula.Undoable, error) {
	if h.OnUndoable == nil {
		return nebula.Undoable{}, nil
	}
	return h.OnUndoable(session, redo)
}

// Commands implements nebula.Host.
func (h Host) Commands(context.Context) ([]nebula.CommandInfo, error) {
	if h.OnCommands == nil {
		return nil, nil
	}
	return h.OnCommands(), nil
}

// Files implements nebula.Host.
func (h Host) Files(context.Context) ([]string, error) {
	if h.OnFiles == nil {
		return nil, nil
	}
	return h.OnFiles()
}

// Image implements nebula.Host.
func (h Host) Image(context.Context, string) (nebula.Image, error) { return nebula.Image{}, nil }

// Piped is a host as another process meets it: through the codec, over pipes.
func Piped(ctx context.Context, host nebula.Host) nebula.Host {
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() {
		_ = toClient.CloseWithError(wire.Serve(ctx, host, fromClient, toClient))
	}()
	return wire.Dial(fromServer, toServer)
}
