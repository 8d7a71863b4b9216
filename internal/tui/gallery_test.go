package tui

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/xpty"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestPicturesAreDrawnWhereTheTerminalCan looks at what is written to terminals of each kind for a picture that the person sent, or
// that an action showed.
func TestPicturesAreDrawnWhereTheTerminalCan(t *testing.T) {
	t.Parallel()
	const kept, cell, file, sixels = "\x1b_Gm=0,q=2,a=T,U=1", "\U0010EEEE", "\x1b]1337;File=", "\x1bP0;1q"
	for _, test := range []struct {
		graphics string
		inline   bool
		has      []string
		result   bool // it is what an action showed, and not what the person sent
	}{
		{"kitty", false, []string{kept, cell, "a=d,d=I"}, false},
		{"kitty", false, []string{kept, cell, "a=d,d=I"}, true},
		{"kitty", true, []string{kept, cell}, false},
		{"kitty", true, []string{kept, cell}, true},
		{"iterm", true, []string{file}, false},
		{"iterm", true, []string{file}, true},
		{"sixel", true, []string{sixels}, false},
		{"sixel", true, []string{sixels}, true},
		{"sixel", false, nil, false}, // a screen that moves what it shows
		{"none", true, nil, false},
		{"none", true, nil, true},
	} {
		t.Run(test.graphics, func(t *testing.T) {
			t.Parallel()
			written := writtenFor(t, test.graphics, test.inline, test.result)
			if line := map[bool]string{false: "(picture: PNG, 90×60,", true: "shot.png"}[test.result]; !strings.Contains(written, line) {
				t.Errorf("no line says what the picture is: %q", written)
			}
			for _, mark := range []string{kept, cell, file, sixels, "a=d,d=I"} {
				wanted := false
				for _, h := range test.has {
					wanted = wanted || h == mark
				}
				if strings.Contains(written, mark) != wanted {
					t.Errorf("%q is written: %v, want %v", mark, !wanted, wanted)
				}
			}
		})
	}
}

// writtenFor is all that is written to a terminal while a picture is seen.
func writtenFor(t *testing.T, graphics string, inline, result bool) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	pty, err := xpty.NewUnixPty(80, 24)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	var mu sync.Mutex
	var out bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(writer(func(b []byte) (int, error) { mu.Lock(); defer mu.Unlock(); return out.Write(b) }), pty)
	}()
	s := newScripted("en", false)
	sent := nebula.Submitted{Turn: 1, Text: "look at @shot.png", Images: []nebula.Image{shot(t)}}
	if result {
		sent.Images = nil
	}
	s.emit(sent)
	if result {
		a := nebula.Action{ID: "a1", Tool: "readFile", Args: []byte(`{"path":"shot.png"}`)}
		s.emit(nebula.Proposed{Proposal: nebula.Proposal{Action: a, Effect: nebula.Read, Summary: "read shot.png"}, Verdict: nebula.Verdict{Ruling: nebula.Allow}})
		s.emit(nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "readFile", Status: nebula.Done, Text: "A picture.", Summary: "shot.png", Images: []nebula.Image{shot(t)}}})
	}
	s.emit(nebula.Replied{Intent: nebula.Intent{Say: "A red square."}})
	s.emit(nebula.Ended{Outcome: nebula.Outcome{Turn: 1, Status: nebula.TurnDone}})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{In: pty.Slave(), Out: pty.Slave(), Lang: "en", Inline: inline, Ambiguous: "narrow", Session: "s1",
			Env:  func(name string) string { return map[string]string{"NEBULA_GRAPHICS": graphics}[name] },
			Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return s, nil }}})
	}()
	for seen := 0; seen < 60; seen++ { // until nothing more comes, rather than a fixed time
		mu.Lock()
		done := strings.Contains(out.String(), "done") && (graphics == "none" || graphics == "sixel" && !inline || strings.ContainsAny(out.String(), "\U0010EEEE") ||
			strings.Contains(out.String(), "\x1b]1337") || strings.Contains(out.String(), "\x1bP0"))
		mu.Unlock()
		if done {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	stop()
	<-ended
	_ = pty.Close()
	<-read
	return out.String()
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

func shot(t *testing.T) nebula.Image {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 90, 60))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	m.Set(3, 3, color.NRGBA{R: 200, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return nebula.Image{Type: "image/png", Data: b.Bytes()}
}
