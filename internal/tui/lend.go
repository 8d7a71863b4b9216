package tui

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"nebula/internal/terminal"
)

// lent runs a program on the terminal: a command as the shell would split it at spaces, and a file.
func lent(ctx context.Context, o Options, program, file string) error {
	words := strings.Fields(program)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.In, o.Out, o.Out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("editor %s: %w; set EDITOR to another one", words[0], err)
	}
	return nil
}

// shown runs the demo, and leaves it on the screen until the person has seen its end.
func shown(ctx context.Context, o Options) error {
	cmd := exec.CommandContext(ctx, o.Demo[0], o.Demo[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.In, o.Out, o.Out
	failed := cmd.Run()
	_, _ = fmt.Fprint(o.Out, "\n[enter] ")
	_, _ = bufio.NewReader(o.In).ReadString('\n') // any answer goes on
	return failed
}

// edit opens the text in the person's own editor.
func (a *app) edit() {
	program := a.options.Env("VISUAL")
	if program == "" {
		program = a.options.Env("EDITOR")
	}
	if program == "" {
		a.hint = a.words.NoEditor
		return
	}
	text, err := edited(a.ctx, a.terminal, a.options, program, a.editor.Text())
	a.screen.clear()
	if err != nil {
		a.failed(err)
		return
	}
	a.editor.Set(strings.TrimRight(text, "\n"))
}

// edited is a text after another program had it. It runs while the terminal is lent: nothing else happens.
func edited(ctx context.Context, t *terminal.Terminal, o Options, program, text string) (string, error) {
	f, err := os.CreateTemp("", "nebula-*.md")
	if err != nil {
		return text, err
	}
	defer os.Remove(f.Name())
	if _, err := f.WriteString(text); err != nil {
		return text, err
	}
	if err := f.Close(); err != nil {
		return text, err
	}
	if err := t.Lend(func() error { return lent(ctx, o, program, f.Name()) }); err != nil {
		return text, err
	}
	b, err := os.ReadFile(f.Name())
	return string(b), err
}
