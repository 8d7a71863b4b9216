// Command screen makes a picture of a program in a terminal: it runs the program in tmux, types what it is told, and
// writes what stands on the screen at the end as SVG. The same program and keys give the same picture.
//
//	go run ./docs/screen -out docs/demo.svg -size 92x36 -wait 'name the result' -- nebula demo --lang en
//
// Keys are given one by one, in order: -key 'text' types, -key '<Enter>' presses (tmux's names), -key '~text' waits for it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "screen:", err)
		os.Exit(1)
	}
}

type keys []string

// String implements flag.Value.
func (k *keys) String() string { return strings.Join(*k, " ") }

// Set implements flag.Value.
func (k *keys) Set(s string) error { *k = append(*k, s); return nil }

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("screen", flag.ContinueOnError)
	out := flags.String("out", "", "the SVG file to write; with -gallery the HTML file")
	captured := flags.String("gallery", "", "draw the captured screens below `DIR`, as internal/tui/testdata/screens, instead of a program's")
	size := flags.String("size", "92x36", "columns x rows of the terminal; rows are cut to what is used")
	title := flags.String("title", "", "the window's title")
	wait := flags.String("wait", "", "text to wait for before the picture is taken")
	bright := flags.Bool("light", false, "a terminal with a light background")
	lang := flags.String("talk", "", "`en|ja`: run the program in the demo's project, with the demo's model to talk to")
	replies := flags.String("replies", "", "with -talk: the JSON `FILE` of what the model says instead, as plan.en.json")
	limit := flags.Duration("limit", 2*time.Minute, "how long to wait for a text")
	var typed keys
	flags.Var(&typed, "key", "what to type, press or wait for; may be repeated")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *captured != "" && *out != "" && flags.NArg() == 0 {
		page, err := gallery(os.DirFS(*captured))
		if err != nil {
			return err
		}
		return os.WriteFile(*out, page, 0o644)
	}
	width, height, ok := strings.Cut(*size, "x")
	if *out == "" || flags.NArg() == 0 || !ok {
		return errors.New("usage: screen -out FILE.svg [-size COLSxROWS] [-key KEY]… [-wait TEXT] -- PROGRAM ARGS…\n       screen -out FILE.html -gallery DIR")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		return errors.New("tmux is missing; install it")
	}
	program := flags.Args()
	if *lang != "" {
		partner, err := newTalk(*lang, *replies)
		if err != nil {
			return err
		}
		defer partner.close()
		program = append(partner.environment(), program...)
	}
	t := terminal{name: fmt.Sprintf("nebula-screen-%d", os.Getpid()), limit: *limit}
	if err := t.start(ctx, width, height, program); err != nil {
		return err
	}
	defer t.stop()
	if *wait != "" {
		typed = append(typed, "~"+*wait)
	}
	for _, k := range typed {
		if err := t.key(ctx, k); err != nil {
			return err
		}
	}
	text, err := t.tmux(ctx, "capture-pane", "-p", "-e", "-N")
	if err != nil {
		return err
	}
	colors := &dark
	if *bright {
		colors = &light
	}
	return os.WriteFile(*out, []byte(picture(text, *title, colors)), 0o644)
}

// A terminal is a tmux server of its own.
type terminal struct {
	name  string
	limit time.Duration
}

func (t terminal) tmux(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-L", t.name, "-f", "/dev/null"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

func (t terminal) start(ctx context.Context, width, height string, program []string) error {
	quoted := make([]string, len(program))
	for i, p := range program {
		quoted[i] = "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
	}
	_, err := t.tmux(ctx, "start-server", ";", "set", "-g", "default-terminal", "tmux-256color", ";", "new-session", "-d", "-x", width, "-y", height,
		"env LC_ALL=C.UTF-8 "+strings.Join(quoted, " ")+"; sleep 600")
	return err
}

func (t terminal) stop() {
	_, _ = t.tmux(context.Background(), "kill-server") // it may have ended by itself
}

func (t terminal) key(ctx context.Context, k string) error {
	if text, ok := strings.CutPrefix(k, "~"); ok {
		return t.waitFor(ctx, text)
	}
	if name, ok := strings.CutPrefix(k, "<"); ok && strings.HasSuffix(name, ">") {
		_, err := t.tmux(ctx, "send-keys", strings.TrimSuffix(name, ">"))
		return err
	}
	_, err := t.tmux(ctx, "send-keys", "-l", k)
	return err
}

// settled is how long a screen must stand still to be taken.
const settled = 800 * time.Millisecond

func (t terminal) waitFor(ctx context.Context, text string) error {
	end := time.Now().Add(t.limit)
	last, since := "", time.Now()
	for {
		now, err := t.tmux(ctx, "capture-pane", "-p")
		if err != nil {
			return err
		}
		if now != last {
			last, since = now, time.Now()
		}
		if strings.Contains(now, text) && time.Since(since) > settled {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%q never came; the screen:\n%s", text, now)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
