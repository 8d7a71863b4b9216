//go:build linux

package cli

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// A picture that was copied on the desktop goes with the message into which Ctrl-V put it; where none was copied, that is said.
func TestACopiedPictureIsShownToTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a terminal")
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	desktop := t.TempDir()
	for name, text := range map[string]string{"xclip": "#!/bin/sh\ncat \"$0.png\" 2>/dev/null\n"} {
		if err := os.WriteFile(filepath.Join(desktop, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := newServed(t)
	s.server.Answers = func(_ int, body []byte) *nebulatest.Answer {
		if bytes.Contains(body, []byte("data:image/png;base64,"+base64.StdEncoding.EncodeToString(picture.Bytes()))) {
			return &nebulatest.Answer{Text: "Grey."}
		}
		return &nebulatest.Answer{Text: "I see nothing."}
	}
	c := s.command()
	c.Env = append(c.Env, "TERM=xterm-256color", "DISPLAY=:99", "WAYLAND_DISPLAY=", "PATH="+desktop+":"+os.Getenv("PATH"))
	at := seat(t, c)
	at.waits("gpt-4.1-nano", 1)
	at.types("\x16")
	at.waits("no picture was copied", 1)
	if err := os.WriteFile(filepath.Join(desktop, "xclip.png"), picture.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	at.types("\x16")
	at.waits("@copied-1.png", 1)
	at.types("what is it?\r")
	at.waits("Grey.", 1) // so short that it comes, and is drawn, at once
}

func TestAFolderIsNoPicture(t *testing.T) {
	if _, err := (&session{dir: t.TempDir()}).picture("."); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Error(err)
	}
}
