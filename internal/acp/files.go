package acp

import (
	"context"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"
)

// Files are texts as they stand in the editor, by absolute paths. There are none before its session is open.
type Files struct {
	agent   *agent
	session atomic.Pointer[sdk.SessionId]
}

// prompt is how long an editor may take for a file's text, and patient for saving one.
const (
	prompt  = 3 * time.Second
	patient = 20 * time.Second
)

// Text is what stands in the editor under a path; ok is false where it does not tell.
func (f *Files) Text(path string) (text string, ok bool) {
	id := f.session.Load()
	if id == nil {
		return "", false
	}
	ctx, cancel := context.WithTimeout(f.agent.ctx, prompt)
	defer cancel()
	r, err := f.agent.editor.ReadTextFile(ctx, sdk.ReadTextFileRequest{SessionId: *id, Path: path})
	return r.Content, err == nil
}

// Save has the editor write a file.
func (f *Files) Save(path, text string) error {
	ctx, cancel := context.WithTimeout(f.agent.ctx, patient)
	defer cancel()
	_, err := f.agent.editor.WriteTextFile(ctx, sdk.WriteTextFileRequest{SessionId: *f.session.Load(), Path: path, Content: text})
	return err
}
