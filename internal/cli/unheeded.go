package cli

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/hook"
	"nebula/internal/lists"
	"nebula/internal/matter"
	"nebula/internal/phrase"
	"nebula/internal/skill"
)

// claims are settings of other programs in a folder that say what may run, and how; of those nothing is read but hooks, servers and commands.
var claims = map[string][]string{
	".claude/settings.json":       {"permissions", "env", "sandbox", "model", "apiKeyHelper", "enabledPlugins", "disableAllHooks"},
	".claude/settings.local.json": {"permissions", "env", "sandbox", "model", "apiKeyHelper", "enabledPlugins", "disableAllHooks"},
	"opencode.json":               {"permission", "tools", "agent", "plugin", "instructions", "model", "provider"},
	"opencode.jsonc":              {"permission", "tools", "agent", "plugin", "instructions", "model", "provider"},
	".gemini/settings.json":       {"hooks", "tools", "excludeTools", "coreTools", "allowedTools", "context", "security", "model"},
}

// unread are further files and folders in which other programs keep what nothing here reads.
var unread = []string{
	".claude/rules", ".claude/plugins", ".claude/output-styles", ".cursor/rules", ".windsurf/rules", ".opencode/plugin", ".opencode/plugins", ".opencode/tool", ".codex/config.toml", ".codex/rules",
	".gemini/extensions", ".gemini/agents", ".geminiignore", ".cursorignore", ".aiderignore",
}

// unheeded is what stands in a folder for agents and is not done here, so that nobody relies on it.
func (p *program) unheeded(dir, settings string) (left []nebula.Words) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil // whoever opens the folder says so
	}
	defer root.Close()
	left = append(damaged(root), undenied(root)...)
	_, _, without := projectHooks(root)
	left = append(left, without...)
	_, without = projectServers(root)
	left = append(left, without...)
	left = lists.Concat(left, p.flawed(dir, settings), p.aidesFlawed(dir, settings))
	for _, name := range unread {
		if _, err := root.Stat(name); err == nil {
			left = append(left, nebula.Say("%s is not read here", name))
		}
	}
	for _, file := range slices.Sorted(maps.Keys(claims)) {
		data, ok := inRoot(root, file)
		if !ok {
			continue
		}
		var top map[string]json.RawMessage
		if json.Unmarshal(matter.Plain(data), &top) != nil {
			continue
		}
		var said []string
		for _, name := range claims[file] {
			var parts map[string]json.RawMessage
			if raw, ok := top[name]; name == "permissions" && json.Unmarshal(raw, &parts) == nil {
				for _, part := range slices.Sorted(maps.Keys(parts)) {
					if part != "deny" { // which holds
						said = append(said, name+"."+part)
					}
				}
			} else if ok {
				said = append(said, name)
			}
		}
		if len(said) > 0 {
			left = append(left, nebula.Say("%s: what it says of %s is not read: what may run is for you to say here", file, strings.Join(said, ", ")))
		}
	}
	heads := func(from string, own bool, names []string) {
		if len(names) > 0 && !own {
			left = append(left, headUnheeded(from, names))
		}
	}
	for _, c := range p.written(dir, settings) {
		heads(c.From, c.Own, c.Left)
	}
	for _, at := range p.shelfPlaces(dir, settings, skillFolders, homeSkills) {
		for _, k := range skillsIn(at) {
			heads(k.Shown, k.Own, k.Left)
		}
		left = append(left, unskilled(at)...)
	}
	return left
}

// unskilled are the skills of a place that cannot be read.
func unskilled(at shelfPlace) (left []nebula.Words) {
	entries, _ := os.ReadDir(at.dir)
	for _, e := range entries {
		in, file := at.skill(e.Name()), filepath.Join(at.shown, e.Name(), skill.File)
		if _, err := os.Lstat(filepath.Join(at.dir, e.Name(), skill.File)); err != nil {
			continue
		}
		if data, err := fs.ReadFile(in.FS, skill.File); err != nil {
			left = append(left, nebula.Say("%w", matter.None(file)))
		} else if err := matter.Flaw(file, data); err != nil {
			left = append(left, nebula.Say("%w", err))
		} else if _, ok := skill.Read(in); !ok {
			left = append(left, nebula.Say("%w", matter.Empty(file)))
		}
	}
	return left
}

// flawed are the commands that people wrote and that cannot be read.
func (p *program) flawed(dir, settings string) (left []nebula.Words) {
	for _, c := range p.written(dir, settings) {
		if c.Flaw != nil {
			left = append(left, nebula.Say("%w", c.Flaw))
		}
	}
	return left
}

// aidesFlawed are the agents that people described and that cannot be read.
func (p *program) aidesFlawed(dir, settings string) (left []nebula.Words) {
	for _, a := range p.described(dir, settings) {
		if a.Flaw != nil {
			left = append(left, nebula.Say("%w", a.Flaw))
		}
	}
	return left
}

// damaged are the files in which a folder could bring something and that cannot be read, so that nothing of them holds.
func damaged(root *os.Root) (left []nebula.Words) {
	for _, file := range lists.Concat(hookFiles, serverFiles) {
		if data, ok := inRoot(root, file); !ok {
			if _, err := root.Lstat(file); err == nil {
				left = append(left, nebula.Say("%w", matter.None(file)))
			}
		} else if err := unreadable(file, data); err != nil {
			left = append(left, nebula.Say("%w", err))
		}
	}
	return left
}

// unreadable is why settings of other programs cannot be read; nil where they can.
func unreadable(file string, data []byte) error {
	return config.Readable(file, matter.Spaced(data))
}

// mute is what is left out of the files with hooks of which nothing is left, so that nobody is asked about them.
func mute(root *os.Root) (left []nebula.Words) {
	for _, file := range hookFiles {
		data, _ := inRoot(root, file)
		list, without, err := hook.Parse(hooksIn(data), file, false)
		if err != nil {
			without = append(without, nebula.Say("%w", err))
		}
		if len(list) == 0 {
			left = append(left, without...)
		}
	}
	return left
}

// headUnheeded says what of a command's or a skill's head is not done here.
func headUnheeded(of string, names []string) nebula.Words {
	return nebula.Say("%s: nothing is done here about what its head says of %s", of, strings.Join(names, ", "))
}

// mostUnheeded bounds what a question tells of it.
const mostUnheeded = 5

// aside is what is not done here, as it stands below what a person is asked to agree to.
func (p *program) aside(left []nebula.Words) (text string) {
	for i, w := range left {
		if i == mostUnheeded {
			return text + p.say("and %d more: nebula trust", len(left)-i) + "\n"
		}
		text += phrase.OneLine(p.words(w), 400) + "\n"
	}
	return text
}
