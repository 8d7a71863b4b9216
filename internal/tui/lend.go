package tui

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
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
