package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/hook"
	"nebula/internal/lists"
	"nebula/internal/matter"
	"nebula/internal/mcp"
	"nebula/internal/terminal"
	"nebula/internal/tool"
	"nebula/internal/trust"
	"nebula/internal/workspace"
)

// hookFiles are where projects keep hooks.
var hookFiles = []string{".nebula/hooks.json", ".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json"}

// projectHooks are the hooks that a folder brings, the things that the person is shown of them, and what of them is left out.
func projectHooks(root *os.Root) (list []hook.Hook, things []trust.Thing, left []nebula.Words) {
	for _, file := range hookFiles {
		data, ok := inRoot(root, file)
		if !ok {
			continue
		}
		raw := hooksIn(data)
		if len(raw) == 0 {
			continue
		}
		found, without, err := hook.Parse(raw, file, false)
		if left = append(left, without...); err != nil {
			left = append(left, nebula.Say("%w", err))
		}
		if len(found) == 0 {
			continue
		}
		text := string(raw) + "\n"
		for _, h := range found {
			words := unwritten(h.Line)
			for i, word := range words {
				for _, lead := range []string{"$CLAUDE_PROJECT_DIR/", "${CLAUDE_PROJECT_DIR}/", "./"} {
					words[i] = strings.TrimPrefix(word, lead)
					if words[i] != word {
						break
					}
				}
			}
			text += loads(root, words)
		}
		list = append(list, found...)
		things = append(things, trust.Thing{Kind: "hooks", Name: file, From: file, Text: text})
	}
	return list, things, left
}

// hooksIn are the hooks of settings as they stand there; none in what is damaged, which is told by itself.
func hooksIn(data []byte) json.RawMessage {
	var doc struct {
		Hooks json.RawMessage `json:"hooks"`
	}
	if json.Unmarshal(matter.Plain(data), &doc) != nil {
		return nil
	}
	return doc.Hooks
}

// hooked reports whether the folder, or one above it, has settings that can hold hooks or forbid something.
//
//go:noinline
func (s *session) hooked(d *denied) bool {
	return slices.ContainsFunc(append(workspace.Above(d.dir), s.dir), func(dir string) bool {
		return slices.ContainsFunc(hookFiles, func(name string) bool { _, err := os.Stat(dir + "/" + name); return err == nil })
	})
}

func hooksOf(root *os.Root) []trust.Thing {
	_, things, _ := projectHooks(root)
	return things
}

// hooks are those of a session; nil where there are none. The person's are read once; the folder's each time, since they hold
// only as they were agreed to.
func (s *session) hooks(work *workspace.Dir, denied *denied) nebula.Hooks {
	if s.clean {
		return nil
	}
	own, left, err := hook.Parse(s.config.Section("hooks"), s.config.Home.File(), true)
	s.hooksTold.Do(func() {
		if err != nil {
			s.warn("%w", err)
		}
		for _, w := range left {
			s.warn("%s", w)
		}
	})
	if len(own) == 0 && !s.hooked(denied) && !s.config.NotifyURL.Set() {
		return nil
	}
	var once sync.Once
	return hook.Set{Dir: s.dir, Names: hookNames, Told: new(sync.Map), Tell: s.push(),
		If:     func(rule string, a nebula.Action) (bool, bool) { return tool.Meant(rule, hookNames(a), a) },
		Denied: func(rule string, a nebula.Action) bool { return tool.Forbidden(rule, hookNames(a), started, a) },
		Hooks: func() []hook.Hook {
			denies, _ := denied.now(s.dir)
			return lists.Concat(denies, own, s.folderHooks(work, &once))
		},
		Run: func(ctx context.Context, h hook.Hook, input []byte) hook.End {
			return s.runHook(ctx, work, h, input)
		}}
}

// started are the commands that a line runs, by their names.
func started(line string) (list []string) {
	for _, c := range gate.Started(line) {
		list = append(list, c.By)
	}
	return list
}

// hookNames are the names that hooks know an action's tool by: that of a server's too.
func hookNames(a nebula.Action) []string {
	names := tool.Elsewhere(a.Tool)
	if server, name, ok := mcp.Called(a); ok {
		names = append([]string{"mcp__" + server + "__" + name, "mcp__" + server}, names...)
	}
	return names
}

// folderHooks are those of the folder's hooks that the person agreed to, where they can be confined.
func (s *session) folderHooks(work *workspace.Dir, once *sync.Once) (agreed []hook.Hook) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	found, things, _ := projectHooks(root)
	for _, t := range things {
		if !ledger(s.config).Agrees(s.dir, t) {
			continue
		}
		if !work.Confines() || s.commands() == "" {
			once.Do(func() {
				s.warn("the hooks of %s do not run: a folder's hooks run confined, and commands are not confined here", t.From)
			})
			continue
		}
		for _, h := range found {
			if h.From == t.From {
				agreed = append(agreed, h)
			}
		}
	}
	return agreed
}

// readOnly is what programs say of a place that the box does not let them write to.
const readOnly = "Read-only file system"

// hookOutput bounds what is kept of what a hook prints.
const hookOutput = 64 << 10

// runHook runs one hook: the person's as the person would, a folder's in the box of commands. What it reads stands behind it in
// its line, since commands read nothing.
func (s *session) runHook(ctx context.Context, work *workspace.Dir, h hook.Hook, input []byte) hook.End {
	const mark = "NEBULA_HOOK_INPUT"
	line := "{ " + h.Line + "\n} <<'" + mark + "'\n" + string(input) + mark + "\n"
	p := nebula.Proposal{Action: nebula.Action{ID: "hook", Tool: "hook"}, Effect: nebula.Execute, Command: line}
	g := nebula.NewGrant("hook", nebula.ByPolicy("hook of "+h.From), p)
	if err := g.Open(p); err != nil {
		return hook.End{Failed: err.Error()}
	}
	defer g.Close()
	work.Prepare()
	exit, err := work.Run(ctx, g, workspace.Command{Line: line, Timeout: h.Timeout, Cap: hookOutput, Outside: h.Own, Pass: s.config.Environment,
		Secrets: secrets(s.config), Env: []string{"CLAUDE_PROJECT_DIR=" + s.dir, "NEBULA_PROJECT_DIR=" + s.dir}}, nil)
	end := hook.End{Code: exit.Code, Output: string(exit.Output), Took: exit.Took}
	switch {
	case !h.Own && hook.Fails(exit.Code) && strings.Contains(end.Output, readOnly):
		end.Failed = hook.Why(end.Output) + "; " + s.say("a folder's hooks run confined and change nothing outside of it; one in your own settings may")
	case err != nil:
		end.Failed = s.tongue().error(err)
	case exit.TimedOut:
		end.Failed = s.say("it was ended after %s", h.Timeout.String())
	case exit.Stopped:
		end.Failed = context.Cause(ctx).Error()
	case !h.Own && exit.Held == 0:
		end.Failed = errors.New(s.say("it was not confined")).Error()
	}
	return end
}

func (p *program) hooksCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "hooks",
		Short: "Show the hooks, and take over those of another program",
		Long: "Hooks are programs of yours that are asked before and after tools, when you send a message, and when a turn ends. They stand\n" +
			"under hooks in your settings file, in the form that Claude Code's settings have. A folder's own are shown by nebula trust.",
		Example: "  nebula hooks\n  nebula hooks import",
	}
	group(root, func(*cobra.Command, []string) error { return p.showHooks() })
	root.AddCommand(&cobra.Command{Use: "import", Short: "Take over the hooks of ~/.claude/settings.json", Args: atMost(0), RunE: func(*cobra.Command, []string) error { return p.importHooks() }})
	return root
}

func (p *program) showHooks() error {
	dir, err := folder(p.at)
	if err != nil {
		return err
	}
	c, err := p.settings(dir, nil)
	if err != nil {
		return err
	}
	list, left, err := hook.Parse(c.Section("hooks"), c.Home.File(), true)
	if err != nil {
		return err
	}
	return p.listHooks(list, left)
}

func (p *program) listHooks(list []hook.Hook, left []nebula.Words) error {
	for _, w := range left {
		p.warn("%s", w)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(p.err, p.say("you have no hooks; they stand under hooks in the settings file, see nebula config path"))
		return err
	}
	for _, h := range list {
		if _, err := fmt.Fprintf(p.out, "%s %s: %s\n", h.Moment, terminal.OneRow(cmp.Or(h.Matcher, "*")), terminal.OneRow(h.Line)); err != nil {
			return err
		}
	}
	return nil
}

// importHooks takes over hooks where the person has none here, so that nothing of theirs is written over.
func (p *program) importHooks() error {
	dir, err := folder(p.at)
	if err != nil {
		return err
	}
	c, err := p.settings(dir, nil)
	if err != nil {
		return err
	}
	if c.Section("hooks") != nil {
		return usage("you have hooks already, in %s; put them together there", c.Home.File())
	}
	root, err := os.OpenRoot(filepath.Join(p.env("HOME"), ".claude"))
	if err != nil {
		return usage("there are no hooks in ~/.claude/settings.json")
	}
	defer root.Close()
	data, _ := inRoot(root, "settings.json")
	if err := unreadable("~/.claude/settings.json", data); err != nil {
		return err
	}
	raw := hooksIn(data)
	if len(raw) == 0 {
		return usage("there are no hooks in ~/.claude/settings.json")
	}
	list, left, err := hook.Parse(raw, "~/.claude/settings.json", true)
	if err != nil {
		return err
	}
	if workspace.Holding(c.Home.Held()) {
		return fail(exitFailed, "a command that nebula runs is not over, and none may change the settings; try again when it has ended")
	}
	if err := c.Home.SetSection("hooks", raw); err != nil {
		return err
	}
	return p.listHooks(list, left)
}
