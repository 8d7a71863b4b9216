package terminal

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"io"
	"os/exec"
	"strings"
	"time"

	"nebula"
)

// A clipboard is a program that writes the picture that was copied last, where a desktop of its kind is there.
type clipboard struct {
	desktop string // the environment variable that tells of it; "" where the system has only one
	args    []string
	decode  func(string) ([]byte, error) // nil where it writes the picture's own bytes
}

// clipboards are those of systems by their names in Go, in the order in which they are tried.
var clipboards = map[string][]clipboard{
	"linux": {
		{desktop: "WAYLAND_DISPLAY", args: []string{"wl-paste", "--no-newline", "--type", "image/png"}},
		{desktop: "DISPLAY", args: []string{"xclip", "-selection", "clipboard", "-target", "image/png", "-out"}},
		{desktop: "WSL_DISTRO_NAME", args: windowsPicture, decode: inBase64},
	},
	"darwin": {
		{args: []string{"pngpaste", "-"}},
		{args: []string{"osascript", "-e", "get the clipboard as «class PNGf»"}, decode: inAppleHex},
	},
	"windows": {{args: windowsPicture, decode: inBase64}},
}

var windowsPicture = []string{"powershell.exe", "-NoProfile", "-Sta", "-Command", "Add-Type -AssemblyName System.Windows.Forms; " +
	"$p = [Windows.Forms.Clipboard]::GetImage(); if ($p) { $m = New-Object IO.MemoryStream; $p.Save($m, 'Png'); [Convert]::ToBase64String($m.ToArray()) }"}

func inBase64(text string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.TrimSpace(text))
}

// inAppleHex reads «data PNGf89504E…», as AppleScript writes bytes.
func inAppleHex(text string) ([]byte, error) {
	_, digits, _ := strings.Cut(text, "PNGf")
	return hex.DecodeString(strings.TrimRight(strings.TrimSpace(digits), "»"))
}

// copying is how long the desktop may take to give a picture.
const copying = 5 * time.Second

// CopiedPicture is the picture that the person copied last, by the first of the system's programs that gives one. The
// error says which program is missing, or that no picture was copied.
func CopiedPicture(ctx context.Context, system string, env func(name string) string) (nebula.Image, error) {
	ctx, cancel := context.WithTimeout(ctx, copying)
	defer cancel()
	var missing []string
	for _, c := range clipboards[system] {
		if c.desktop != "" && env(c.desktop) == "" {
			continue
		}
		if _, err := exec.LookPath(c.args[0]); err != nil {
			missing = append(missing, c.args[0])
			continue
		}
		if data := c.read(ctx); len(data) > 0 {
			return nebula.Picture(data)
		}
	}
	if len(missing) > 0 {
		return nebula.Image{}, nebula.Errorf("no picture was copied, or it cannot be read here without %s; name its file, as in @shot.png", strings.Join(missing, ", "))
	}
	return nebula.Image{}, nebula.Errorf("no picture was copied; name its file, as in @shot.png")
}

// read is what the program gives, nil where that is nothing or too much.
func (c clipboard) read(ctx context.Context) []byte {
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(out, 2*nebula.PictureRead+1))
	if len(data) > 2*nebula.PictureRead {
		_ = cmd.Process.Kill()
		data = nil
	}
	if cmd.Wait() != nil || err != nil {
		return nil
	}
	if c.decode != nil {
		if data, err = c.decode(string(bytes.TrimSpace(data))); err != nil {
			return nil
		}
	}
	return data
}
