package tui

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/terminal"
)

// A popup completes the word before the cursor: a command after a slash, a file after an at sign.
type popup struct {
	mark  byte // '/' or '@'
	word  string
	rows  []choice
	at    int
	files bool // they are being listed
}

// popupRows is how many completions are shown, and popupMax how many files are ranked.
const (
	popupRows = 8
	popupMax  = 200
)

// complete looks at what was typed, and opens, fills or closes the popup.
func (a *app) complete() {
	if a.picker != nil || a.gate != nil {
		a.popup = nil
		return
	}
	word, first := a.editor.Word()
	switch {
	case strings.HasPrefix(word, "@"):
		a.completeFile(word[1:])
	case strings.HasPrefix(word, "/") && first && !strings.Contains(word[1:], "/"):
		a.completeCommand(word[1:])
	default:
		a.popup = nil
	}
}

// lastWord is what stands between the last space and the end.
//
//go:noinline
func lastWord(text string) string {
	return text[strings.LastIndexFunc(text, unicode.IsSpace)+1:]
}

func (a *app) completeCommand(word string) {
	p := &popup{mark: '/', word: word}
	list := command.Rows[:len(command.Rows)-1] // the last has no slash
	for _, i := range best(word, len(list), popupMax, func(i int) string { return list[i].Name }) {
		p.rows = append(p.rows, choice{list[i].Name, list[i].Text(a.words.Lang).About})
	}
	if a.customs == nil && a.options.Host != nil {
		a.customs = []nebula.CommandInfo{}
		a.ask(a.complete) // also where nothing of nebula's own has such a name
	}
	for _, i := range best(word, len(a.customs), popupMax, func(i int) string { return a.customs[i].Name }) {
		p.rows = append(p.rows, choice{terminal.Visible(a.customs[i].Name), terminal.Visible(strings.TrimSpace(a.customs[i].Takes + " " + a.customs[i].About))})
	}
	a.replace(p)
}

func (a *app) completeFile(word string) {
	if a.options.Host == nil {
		return
	}
	p := &popup{mark: '@', word: word, files: a.files == nil}
	if a.files == nil || time.Since(a.listed) > 10*time.Second {
		a.list()
	}
	for _, i := range best(word, len(a.files), popupMax, func(i int) string { return a.files[i] }) {
		p.rows = append(p.rows, choice{label: a.files[i]})
	}
	a.replace(p)
}

// replace shows another popup, at the same row where the word is the same.
//
//go:noinline
func (a *app) replace(p *popup) {
	if len(p.rows) == 0 && !p.files {
		a.popup = nil
		return
	}
	if a.popup != nil && a.popup.word == p.word {
		p.at = min(a.popup.at, max(len(p.rows)-1, 0))
	}
	a.popup = p
}

// list reads the folder beside the loop.
func (a *app) list() {
	a.listed = time.Now()
	a.apart(func(ctx context.Context) func() {
		files, err := a.options.Host.Files(ctx)
		return func() {
			if err != nil {
				a.hint = terminal.Visible(err.Error())
			}
			if a.files = files; a.files == nil {
				a.files = []string{}
			}
			if a.popup != nil && a.popup.mark == '@' {
				a.complete()
			}
		}
	})
}

// popupKey takes a key while completions are shown, and reports whether it was for them.
func (a *app) popupKey(name string) bool {
	p := a.popup
	switch name {
	case "up", "ctrl+p":
		p.at = (p.at + len(p.rows) - 1) % max(len(p.rows), 1)
	case "down", "ctrl+n":
		p.at = (p.at + 1) % max(len(p.rows), 1)
	case "esc":
		a.popup = nil
	case "tab":
		a.fill()
	case "enter":
		if len(p.rows) == 0 || p.mark == '/' && p.rows[p.at].label == p.word {
			return false
		}
		whole := p.mark == '/' && a.editor.Before() == a.editor.Text()
		name := ""
		if len(p.rows) > 0 {
			name = p.rows[p.at].label
		}
		a.fill()
		if whole && name != "" && !unfinished(name) && a.bare(name) {
			a.enter()
		}
	default:
		return false
	}
	return true
}

// bare reports whether a command is whole without anything behind its name, as far as whoever wrote it says.
func (a *app) bare(name string) bool {
	return !slices.ContainsFunc(a.customs, func(c nebula.CommandInfo) bool { return c.Name == name && c.Takes != "" })
}

// fill puts the chosen completion in the place of the word.
func (a *app) fill() {
	p := a.popup
	a.popup = nil
	if len(p.rows) == 0 {
		return
	}
	a.editor.Drop(len([]rune(p.word)))
	a.editor.Insert(p.rows[p.at].label + " ")
}

func (p *popup) draw(d drawer, w words) []string {
	if p.files && len(p.rows) == 0 {
		return []string{terminal.Paint(d.style.dim, terminal.Clip("  "+w.Listing, d.width))}
	}
	from := max(min(p.at-popupRows/2, len(p.rows)-popupRows), 0)
	list := picker{rows: p.rows, at: p.at}
	for i := range p.rows {
		list.found = append(list.found, i)
	}
	return list.list(d, from, min(from+popupRows, len(p.rows)))
}
