package tui

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"nebula"
	"nebula/internal/terminal"
)

// pasteCopied names the picture that was copied on the desktop in the message, which then shows it.
func (a *app) pasteCopied() {
	if a.gate != nil {
		return
	}
	a.apart(func(ctx context.Context) func() {
		image, err := terminal.CopiedPicture(ctx, runtime.GOOS, a.options.Env)
		return func() { a.took(image, err) }
	})
}

// took names a picture that was copied, under a name that no file is asked for.
func (a *app) took(image nebula.Image, err error) {
	if err != nil {
		a.failed(err)
		return
	}
	if a.copied == nil {
		a.copied = map[string]nebula.Image{}
	}
	name := fmt.Sprintf("copied-%d.%s", len(a.copied)+1, strings.TrimPrefix(image.Type, "image/"))
	a.copied[name] = image
	a.editor.Insert("@" + name + " ")
	a.complete()
}

// dropped is how a message names a picture whose path alone was pasted, as a terminal does with a file that is dropped on it: in
// quotes, with its blanks behind backslashes, or as an address. Empty for all else.
func dropped(text string) string {
	name := strings.TrimSpace(text)
	if name == "" || strings.ContainsAny(name, "\n\r") {
		return ""
	}
	quote := name[0]
	switch whole := len(name) > 2 && name[len(name)-1] == quote; {
	case whole && (quote == '\'' || quote == '"'):
		name = name[1 : len(name)-1]
	case strings.HasPrefix(name, "file://"):
		u, err := url.Parse(name)
		if err != nil {
			return ""
		}
		name = u.Path
	case filepath.Separator == '/':
		if strings.Contains(strings.ReplaceAll(name, `\ `, ""), " ") {
			return "" // words, not a path
		}
		name = unescaped(name)
	}
	if !filepath.IsAbs(name) || !nebula.Pictured(name) || strings.Contains(name, `"`) {
		return ""
	}
	if strings.ContainsAny(name, " \t") {
		return `@"` + name + `" `
	}
	return "@" + name + " "
}

// unescaped is a path without the backslashes that a shell would take away.
func unescaped(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '\\' && i+1 < len(name) {
			i++
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
