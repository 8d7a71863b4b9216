// Package prompt turns a session's state into the request a model reads. It is pure: the same state gives the same
// bytes, and what does not change from turn to turn stands first, so that providers' prompt caches hold.
package prompt

import (
	"embed"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/state"
)

//go:embed text/*.md
var texts embed.FS

// An Input is everything a prompt is made from.
type Input struct {
	State    *state.State
	Protocol nebula.Protocol
	Tools    []nebula.ToolSpec
	Facts    Facts
}

// Facts describe the project, once for a session.
type Facts struct {
	OS      string
	Dir     string   // the folder's path
	Entries []string // what stands at its top, folders with a slash
}

// Build is the request for the next reply.
func Build(in Input) nebula.Prompt {
	offered := Offered(in.Tools, in.State.Mode)
	taught, native := in.Protocol.Teach(offered, in.State.Lang)
	system := System(in.State.Mode, in.State.Lang, in.Facts)
	if taught != "" {
		system += "\n" + taught
	}
	messages := in.State.Messages
	if len(native) == 0 {
		messages = flatten(messages)
	}
	return nebula.Prompt{System: system, Messages: messages, Tools: native, CacheKey: in.State.Session}
}

// Offered are the tools that the mode lets work, in their order.
func Offered(tools []nebula.ToolSpec, mode nebula.Mode) []nebula.ToolSpec {
	if mode == nebula.AgentMode {
		return tools
	}
	var kept []nebula.ToolSpec
	for _, t := range tools {
		if !t.Effect.Changes() {
			kept = append(kept, t)
		}
	}
	return kept
}

// System is the fixed text of a mode with the project's facts.
func System(mode nebula.Mode, lang string, f Facts) string {
	name := "agent"
	if mode != nebula.AgentMode {
		name = "plan"
	}
	if lang != "ja" {
		lang = "en"
	}
	text, err := texts.ReadFile("text/" + name + "." + lang + ".md")
	if err != nil {
		panic(err) // embedded: the build is broken
	}
	return string(text) + "\n" + f.text(lang)
}

// entriesShown bounds the first look at a project; list shows the rest.
const entriesShown = 40

func (f Facts) text(lang string) string {
	words := map[string][3]string{
		"en": {"Folder: %s (%s)\n", "The folder is empty: find out with the person what to build before writing anything.\n", "At its top: %s\n"},
		"ja": {"フォルダ: %s (%s)\n", "フォルダは空です。何かを書く前に、何を作るかを相手と決めてください。\n", "直下: %s\n"},
	}[lang]
	var b strings.Builder
	fmt.Fprintf(&b, words[0], f.Dir, f.OS)
	if len(f.Entries) == 0 {
		b.WriteString(words[1])
		return b.String()
	}
	shown := f.Entries
	more := ""
	if len(shown) > entriesShown {
		more = fmt.Sprintf(" … +%d", len(shown)-entriesShown)
		shown = shown[:entriesShown]
	}
	fmt.Fprintf(&b, words[2], strings.Join(shown, " ")+more)
	return b.String()
}

// flatten writes native calls of an earlier protocol as text, for a conversation that goes on without them: servers
// refuse calls of tools that are not offered.
func flatten(messages []nebula.Message) []nebula.Message {
	for i, m := range messages {
		if len(m.Calls) > 0 || m.Role == nebula.ToolRole {
			return append(append([]nebula.Message{}, messages[:i]...), flattened(messages[i:])...)
		}
	}
	return messages
}

func flattened(messages []nebula.Message) []nebula.Message {
	out := make([]nebula.Message, 0, len(messages))
	for _, m := range messages {
		switch {
		case m.Role == nebula.ToolRole:
			m = nebula.Message{Role: nebula.User, Text: "(result) " + m.Text}
		case len(m.Calls) > 0:
			var b strings.Builder
			b.WriteString(m.Text)
			for _, c := range m.Calls {
				fmt.Fprintf(&b, "\n(called %s %s)", c.Name, c.Arguments)
			}
			m = nebula.Message{Role: nebula.Assistant, Text: strings.TrimSpace(b.String())}
		}
		out = append(out, m)
	}
	return out
}
