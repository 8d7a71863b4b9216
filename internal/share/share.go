// Package share writes a session for people who were not there: as one page of HTML that loads nothing and runs nothing, or
// as Markdown. Both are made of the session's transcript.
package share

import (
	"fmt"
	"html"
	"iter"
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// Options say what is written, and what is left out.
type Options struct {
	Lang     string
	Title    string
	About    []string            // lines below the title: when, where, with which model
	Contents bool                // what files and commands hold is shown too
	Clean    func(string) string // takes out what is not to be seen, of every text
}

// Read folds a session's events.
func Read(events iter.Seq2[nebula.Event, error], lang string) (*transcript.Transcript, error) {
	t := transcript.New(lang)
	for e, err := range events {
		if err != nil {
			return nil, err
		}
		t.Apply(e)
	}
	return t, nil
}

// A form is a way to write a session. Each part is given as it stands and cleaned.
type form interface {
	head(title string, about []string)
	said(text string, person bool)
	aside(summary, text string) // what is folded away
	acted(line, why string)     // an action in one line
	change(diff string)         // a unified diff
	output(text string)         // of a command
	note(tone transcript.Tone, text string)
	end() string
}

// HTML is a page that holds everything by itself.
func HTML(t *transcript.Transcript, o Options) string { return write(t, o, &page{lang: o.Lang}) }

// Markdown is the same as Markdown.
func Markdown(t *transcript.Transcript, o Options) string { return write(t, o, &markdown{}) }

func write(t *transcript.Transcript, o Options, f form) string {
	words := transcript.WordsIn(o.Lang)
	clean := func(text string) string { return terminal.Visible(o.Clean(text)) }
	about := make([]string, len(o.About))
	for i, line := range o.About {
		about[i] = clean(line)
	}
	f.head(clean(o.Title), about)
	for _, r := range t.Rows {
		if r.Void {
			continue
		}
		switch r.Kind {
		case transcript.Person:
			f.said(clean(r.Text), true)
		case transcript.Say:
			f.said(clean(r.Text), false)
		case transcript.Thought:
			f.aside(phrase.In(o.Lang, "Thought"), clean(r.Text))
		case transcript.Question:
			f.note(r.Tone, "? "+clean(r.Text))
		case transcript.Act:
			act(f, r.Action, words, o.Contents, clean)
		case transcript.Note:
			f.note(r.Tone, strings.TrimSpace(r.Mark+" "+clean(r.Said(terminal.Visible, terminal.OneRow))))
		case transcript.End:
			f.note(r.Tone, strings.TrimSpace(r.Mark+" "+clean(r.Text)))
		}
	}
	return f.end()
}

// outputMax bounds what is shown of a command's output, in bytes.
const outputMax = 64 << 10

func act(f form, a *transcript.Action, words transcript.Words, contents bool, clean func(string) string) {
	mark, _, word := a.Mark(words)
	command, text := a.Title()
	line := strings.Join(strings.Fields(mark+" "+command+" "+text+" "+word), " ")
	f.acted(clean(line), clean(a.Proposal.Action.Reason))
	if !contents {
		return
	}
	if a.Proposal.Diff != "" {
		f.change(clean(a.Proposal.Diff))
	}
	if r := a.Result; r != nil && (a.Proposal.Effect == nebula.Execute || r.Status == nebula.Failed) && r.Text != "" {
		said := r.Text
		if len(said) > outputMax {
			said = strings.ToValidUTF8(said[:outputMax], "") + "\n…"
		}
		f.output(clean(said))
	}
}

// A page is HTML without a script.
type page struct {
	strings.Builder
	lang string
}

const style = `body{font:15px/1.55 system-ui,sans-serif;max-width:54em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.3em}header p{color:#777;margin:.1em 0}.p{border-left:3px solid #7a5af8;padding:.1em .9em;margin:1.6em 0 .6em;font-weight:600}
.s,.p{white-space:pre-wrap;overflow-wrap:anywhere}.s{margin:.6em 0}pre{background:#8881;padding:.6em .8em;overflow-x:auto;border-radius:6px;font:13px/1.45 ui-monospace,monospace;white-space:pre}
.a{color:#555;margin:.5em 0 .2em;font:13px/1.5 ui-monospace,monospace}.w{color:#777;font-size:13px;margin:0 0 .2em 1.2em}.n{color:#777;font-size:13px;margin:.3em 0}
.bad{color:#b3261e}.warn{color:#8a5a00}.good{color:#187a3c}.add{color:#187a3c}.del{color:#b3261e}.at{color:#7a5af8}summary{color:#777;cursor:pointer;font-size:13px}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#17171b}.a,.n,.w,header p,summary{color:#999}.add,.good{color:#6c9}.del,.bad{color:#f88}.warn{color:#e0b050}.at,.p{border-color:#a08cff}.at{color:#a08cff}}`

func (p *page) head(title string, about []string) {
	t := html.EscapeString(title)
	fmt.Fprintf(p, "<!doctype html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">"+
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>%s</title><style>%s</style></head>\n<body><header><h1>%s</h1>\n",
		html.EscapeString(p.lang), t, style, t)
	for _, line := range about {
		fmt.Fprintf(p, "<p>%s</p>\n", html.EscapeString(line))
	}
	p.WriteString("</header><main>\n")
}

func (p *page) said(text string, person bool) {
	if person {
		fmt.Fprintf(p, "<div class=\"p\">%s</div>\n", html.EscapeString(text))
		return
	}
	for i, part := range fences(text) {
		switch {
		case i%2 == 1:
			fmt.Fprintf(p, "<pre>%s</pre>\n", html.EscapeString(part))
		case strings.TrimSpace(part) != "":
			fmt.Fprintf(p, "<div class=\"s\">%s</div>\n", html.EscapeString(strings.Trim(part, "\n")))
		}
	}
}

// fences are the parts of a text outside and inside of fenced code, in turn.
func fences(text string) []string {
	parts, fence := []string{""}, ""
	for line := range strings.Lines(text) {
		mark := strings.TrimSpace(line)
		ticks := mark[:len(mark)-len(strings.TrimLeft(mark, "`~"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
			parts = append(parts, "")
		case fence != "" && mark == ticks && strings.HasPrefix(ticks, fence):
			fence = ""
			parts = append(parts, "")
		default:
			parts[len(parts)-1] += line
		}
	}
	return parts
}

func (p *page) aside(summary, text string) {
	fmt.Fprintf(p, "<details><summary>%s</summary><div class=\"s\">%s</div></details>\n", html.EscapeString(summary), html.EscapeString(text))
}

func (p *page) acted(line, why string) {
	fmt.Fprintf(p, "<div class=\"a\">%s</div>\n", html.EscapeString(line))
	if why != "" {
		fmt.Fprintf(p, "<div class=\"w\">%s</div>\n", html.EscapeString(why))
	}
}

// shades are how the lines of a diff are drawn, by how they begin. The longer beginnings come first.
var shades = []struct{ begins, class string }{{"+++", "at"}, {"---", "at"}, {"@@", "at"}, {"+", "add"}, {"-", "del"}}

func (p *page) change(diff string) {
	p.WriteString("<pre>")
	for line := range strings.Lines(diff) {
		text := html.EscapeString(line)
		for _, s := range shades {
			if strings.HasPrefix(line, s.begins) {
				text = "<span class=\"" + s.class + "\">" + text + "</span>"
				break
			}
		}
		p.WriteString(text)
	}
	p.WriteString("</pre>\n")
}

func (p *page) output(text string) {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	fmt.Fprintf(p, "<details><summary>%s</summary><pre>%s</pre></details>\n", html.EscapeString(terminal.Clip(first, 100)), html.EscapeString(text))
}

func (p *page) note(tone transcript.Tone, text string) {
	class := map[transcript.Tone]string{transcript.Bad: " bad", transcript.Warning: " warn", transcript.Good: " good"}[tone]
	fmt.Fprintf(p, "<div class=\"n%s\">%s</div>\n", class, html.EscapeString(text))
}

func (p *page) end() string {
	p.WriteString("</main></body></html>\n")
	return p.String()
}

// A markdown is the same in Markdown.
type markdown struct{ strings.Builder }

func (m *markdown) head(title string, about []string) {
	fmt.Fprintf(m, "# %s\n\n%s\n", terminal.OneRow(title), strings.Join(about, "  \n"))
}

func (m *markdown) said(text string, person bool) {
	if person {
		text = "> " + strings.ReplaceAll(text, "\n", "\n> ")
	}
	fmt.Fprintf(m, "\n%s\n", text)
}

func (m *markdown) aside(string, string) {} // thoughts are no part of what was said

func (m *markdown) acted(line, why string) {
	fmt.Fprintf(m, "\n- %s\n", fenceless(line))
	if why != "" {
		fmt.Fprintf(m, "  %s\n", fenceless(why))
	}
}

// fenceless is a line in which nothing is marked.
func fenceless(line string) string {
	return strings.NewReplacer("`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;").Replace(line)
}

func (m *markdown) change(diff string) { fmt.Fprintf(m, "\n%s\n", phrase.Fenced("diff", diff)) }
func (m *markdown) output(text string) { fmt.Fprintf(m, "\n%s\n", phrase.Fenced("", text)) }

func (m *markdown) note(_ transcript.Tone, text string) { fmt.Fprintf(m, "\n*%s*\n", fenceless(text)) }

func (m *markdown) end() string { return m.String() }
