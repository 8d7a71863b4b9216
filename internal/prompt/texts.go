package prompt

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
)

//go:embed text
var texts embed.FS

// Texts are the templates: the embedded ones, and in their place what the person or the project gives by
// "language/name", such as "en/agent".
type Texts map[string]string

// Names are the templates there are, for every language.
var Names = []string{"base", "agent", "plan", "planning", "execution", "review"}

func language(lang string) string {
	if lists.Has(phrase.Langs(), lang) {
		return lang
	}
	return phrase.Langs()[0]
}

func (t Texts) text(lang, name string) string {
	if own, ok := t[lang+"/"+name]; ok {
		return strings.TrimRight(own, "\n") + "\n"
	}
	for _, lang := range []string{lang, phrase.Langs()[0]} {
		if text, err := texts.ReadFile("text/" + lang + "/" + name + ".md"); err == nil {
			return string(text)
		}
	}
	return "" // a mode or step without a text of its own
}

// Memory is what outlives a session (Duckflow v3 §3.1): kept per project and per user.
type Memory struct {
	Files    int      // written so far
	Done     int      // actions that succeeded
	Sessions int      // before this one
	Last     string   // when the last one was
	Notes    []string // patterns learned, preferences of the person
	Recent   []string // the last conversations, a line each
}

// Bounds of the memory in the base layer.
const (
	baseLimit     = 1000 // characters (Duckflow v3 §3.1)
	recentLimit   = 100
	recentEntries = 5
)

// base is the first layer: who nebula is, and what it remembers, within the layer's budget and baseLimit characters. The
// oldest conversations go first, then the notes; left counts the notes that found no room.
func (b *Builder) base(lang string) (text string, left int) {
	m, limit := b.Memory, b.Limits.defaults().Base
	if len(m.Recent) > recentEntries {
		m.Recent = m.Recent[len(m.Recent)-recentEntries:]
	}
	for {
		text := strings.Replace(b.Texts.text(lang, "base"), "{memory}\n", m.text(lang), 1)
		if len([]rune(text)) <= baseLimit && b.count(text) <= limit {
			return text, len(b.Memory.Notes) - len(m.Notes)
		}
		switch {
		case len(m.Recent) > 0:
			m.Recent = m.Recent[1:]
		case len(m.Notes) > 0:
			m.Notes = m.Notes[:len(m.Notes)-1]
		default:
			if len([]rune(text)) > baseLimit {
				text, _ = state.Cut(text, baseLimit)
				text += "\n"
			}
			return b.fit(text, limit), len(b.Memory.Notes)
		}
	}
}

// Base is the first layer, for what asks a model beside a conversation.
func (b *Builder) Base(lang string) string {
	text, _ := b.base(language(lang))
	return text
}

// Forgotten counts the notes that find no room in the first layer.
func (b *Builder) Forgotten(lang string) int {
	_, left := b.base(language(lang))
	return left
}

func (m Memory) text(lang string) string {
	var b strings.Builder
	if m.Sessions > 0 {
		fmt.Fprintf(&b, phrase.In(lang, "Before in this project: %d sessions"), m.Sessions)
		if m.Last != "" {
			fmt.Fprintf(&b, phrase.In(lang, " (last %s)"), m.Last)
		}
		if m.Files+m.Done > 0 {
			fmt.Fprintf(&b, phrase.In(lang, ", %d file changes, %d actions done"), m.Files, m.Done)
		}
		b.WriteString(phrase.In(lang, ".\n"))
	}
	for _, n := range m.Notes {
		line, _ := state.Cut(n, recentLimit)
		fmt.Fprintf(&b, "- %s\n", line)
	}
	for _, r := range m.Recent {
		line, _ := state.Cut(r, recentLimit)
		fmt.Fprintf(&b, "· %s\n", line)
	}
	return b.String()
}

// A Cut is a template of one's own, as "language/name", and the words from which on it is left out.
type Cut struct{ Name, From string }

// Overlong are the templates of one's own whose end does not fit the budget of their layer.
func (b *Builder) Overlong(lang string) []Cut {
	lang = language(lang)
	limits := b.Limits.defaults()
	var cuts []Cut
	for _, name := range Names {
		own, ok := b.Texts[lang+"/"+name]
		if !ok {
			continue
		}
		limit, behind := limits.Specialized, ""
		switch name {
		case "base":
			limit = limits.Base
		case "agent", "plan":
			limit, behind = limits.Main, b.Facts.text(lang)
		}
		sent := len(b.beside(own, behind, limit))
		if runes := []rune(own); name == "base" && len(runes) > baseLimit {
			sent = min(sent, len(string(runes[:baseLimit])))
		}
		if sent < len(own) {
			from, _ := state.Cut(own[sent:], cutShown)
			cuts = append(cuts, Cut{lang + "/" + name, from})
		}
	}
	return cuts
}

// shortened are those of some templates of one's own that are not sent as a whole.
func (b *Builder) shortened(lang string, names ...string) (cuts []string) {
	if len(b.Texts) == 0 {
		return nil
	}
	for _, c := range b.Overlong(lang) {
		if lists.Has(names, path.Base(c.Name)) {
			cuts = append(cuts, c.Name)
		}
	}
	return cuts
}

// own is a template with the state's values in it.
func (b *Builder) own(in Input, name string) string {
	lang := language(in.State.Lang)
	text := b.Texts.text(lang, name)
	if b.Fill == nil {
		return text
	}
	return b.Fill(text, lang, b.values(in))
}

// values are the state's, by the names that a template has for them (DML §3 C); nil where no template has any.
func (b *Builder) values(in Input) map[string]string {
	if b.Fill == nil {
		return nil
	}
	return map[string]string{"cwd": b.Facts.Dir, "os": b.Facts.OS, "last_error": lastError(in.State), "task_plan": strings.Join(in.State.Items.PlanBrief, " → ")}
}

// cutShown bounds what is shown of what is left out, in characters.
const cutShown = 40
