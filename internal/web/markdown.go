package web

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
)

// Markdown is what a page says, with its title: headings, lists, tables, code and links. What is not shown to people, and what
// stands around the page's own text, is left out. base is where the page is.
func Markdown(page string, base *url.URL) (title, text string) {
	if m := mainPart(page); m != "" {
		if _, text = convert(m, base); len(text) >= leastMain {
			title, _ = convert(page[:min(len(page), headLooked)], base)
			return title, text
		}
	}
	return convert(page, base)
}

// leastMain is how much the part has to say that a page calls its main one, and headLooked where its title stands.
const (
	leastMain  = 300
	headLooked = 64 << 10
)

// mainPart is what a page calls its main part, from its beginning on.
func mainPart(page string) string {
	low := strings.ToLower(page)
	for _, name := range []string{"main", "article"} {
		if from := strings.Index(low, "<"+name); from >= 0 && from+len(name)+1 < len(low) && strings.ContainsRune(" >\n\t", rune(low[from+len(name)+1])) {
			if to := strings.LastIndex(low, "</"+name); to > from {
				return page[from:to]
			}
		}
	}
	return ""
}

// A tag is one of a page's.
type tag struct {
	name  string
	attrs map[string]string
	end   bool
}

var (
	// unread are elements whose content is no text of the page, and raw those in which no tag is one.
	unread = []string{"script", "style", "template", "svg", "math", "iframe", "object", "canvas", "select", "nav", "footer", "aside", "button", "dialog", "noscript"}
	raw    = []string{"script", "style", "textarea", "title", "noscript", "iframe"}
	void   = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
	blocks = []string{"p", "div", "section", "article", "main", "header", "ul", "ol", "dl", "dt", "dd", "figure", "figcaption", "table", "blockquote", "details", "summary", "address", "form", "fieldset"}
)

// next takes the next piece off a page: text, or a tag.
func next(page string) (text string, t *tag, rest string) {
	at := strings.IndexByte(page, '<')
	switch {
	case at < 0:
		return page, nil, ""
	case at > 0:
		return page[:at], nil, page[at:]
	case strings.HasPrefix(page, "<!--"):
		_, rest, _ = strings.Cut(page[4:], "-->")
		return "", nil, rest
	case len(page) > 1 && (page[1] == '!' || page[1] == '?'):
		_, rest, _ = strings.Cut(page, ">")
		return "", nil, rest
	case len(page) < 2 || page[1] != '/' && !letter(page[1]) || page[1] == '/' && (len(page) < 3 || !letter(page[2])):
		return "<", nil, page[1:]
	}
	t = &tag{}
	page = page[1:]
	if page[0] == '/' {
		t.end, page = true, page[1:]
	}
	n := strings.IndexAny(page, " \t\r\n/>")
	if n < 0 {
		return "", nil, ""
	}
	t.name = strings.ToLower(page[:n])
	t.attrs, rest = attributes(page[n:])
	return "", t, rest
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// attributes takes those of a tag off, to its end.
func attributes(page string) (attrs map[string]string, rest string) {
	attrs = map[string]string{}
	for {
		page = strings.TrimLeft(page, " \t\r\n/")
		if page == "" || page[0] == '>' {
			return attrs, strings.TrimPrefix(page, ">")
		}
		n := strings.IndexAny(page[1:], " \t\r\n/>=") + 1
		if n == 0 {
			return attrs, ""
		}
		name := strings.ToLower(page[:n])
		page = strings.TrimLeft(page[n:], " \t\r\n")
		value := ""
		if after, ok := strings.CutPrefix(page, "="); ok {
			page = strings.TrimLeft(after, " \t\r\n")
			switch {
			case page != "" && (page[0] == '"' || page[0] == '\''):
				value, page, _ = strings.Cut(page[1:], page[:1])
			default:
				n := strings.IndexAny(page, " \t\r\n>")
				if n < 0 {
					n = len(page)
				}
				value, page = page[:n], page[n:]
			}
		}
		if _, twice := attrs[name]; !twice {
			attrs[name] = html.UnescapeString(value)
		}
	}
}

// hidden reports whether a browser shows nothing of an element.
func (t *tag) hidden() bool {
	style := strings.ReplaceAll(strings.ToLower(t.attrs["style"]), " ", "")
	_, off := t.attrs["hidden"]
	return off || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") || strings.Contains(style, "font-size:0") || strings.Contains(style, "opacity:0;") || t.attrs["aria-hidden"] == "true"
}

// skip leaves an element out, to where it ends.
func skip(page, name string) string {
	if slices.Contains(raw, name) {
		for {
			at := strings.Index(page, "</")
			if at < 0 || len(page) < at+2+len(name) {
				return ""
			}
			page = page[at+2:]
			if strings.EqualFold(page[:len(name)], name) {
				_, rest, _ := strings.Cut(page, ">")
				return rest
			}
		}
	}
	for depth := 1; page != "" && depth > 0; {
		_, t, rest := next(page)
		page = rest
		switch {
		case t == nil:
		case t.end && t.name == name:
			depth--
		case !t.end && t.name == name:
			depth++
		case !t.end && slices.Contains(raw, t.name):
			page = skip(page, t.name)
		}
	}
	return page
}

// A writer writes Markdown.
type writer struct {
	base   *url.URL
	out    []byte
	title  string
	pre    int
	quotes []int // where those begin that are open
	lists  []int // the number of the last item of each list that is open; -1 where they have none
	links  []link
	cells  int // of the row
	rows   int // of the table
}

type link struct {
	from int
	to   string
}

func convert(page string, base *url.URL) (title, text string) {
	w := &writer{base: base}
	for page != "" {
		said, t, rest := next(page)
		page = rest
		switch {
		case t == nil:
			w.text(html.UnescapeString(said))
		case t.name == "title" && !t.end:
			inner, after, _ := strings.Cut(page, "</")
			if w.title == "" {
				w.title = strings.Join(strings.Fields(html.UnescapeString(inner)), " ")
			}
			_, page, _ = strings.Cut(after, ">")
		case !t.end && !slices.Contains(void, t.name) && (slices.Contains(unread, t.name) || t.hidden()):
			page = skip(page, t.name)
		case t.end:
			w.close(t.name)
		default:
			w.open(t)
		}
	}
	return w.title, strings.TrimSpace(string(w.out))
}

// line begins a line, a blank one before it.
func (w *writer) line(blank bool) {
	w.out = bytes.TrimRight(w.out, " ")
	if len(w.out) == 0 {
		return
	}
	if w.out[len(w.out)-1] != '\n' {
		w.out = append(w.out, '\n')
	}
	if blank && !bytes.HasSuffix(w.out, []byte("\n\n")) {
		w.out = append(w.out, '\n')
	}
}

// deepest is how far quotations are shown in one another.
const deepest = 6

// unquote ends a quotation: each of its lines is marked.
func (w *writer) unquote() {
	last := len(w.quotes) - 1
	from := w.quotes[last]
	w.quotes = w.quotes[:last]
	if last < deepest && from <= len(w.out) {
		inner := strings.TrimSpace(string(w.out[from:]))
		w.out = w.out[:from]
		for line := range strings.SplitSeq(inner, "\n") {
			w.out = append(w.out, strings.TrimRight("> "+line, " ")+"\n"...)
		}
	}
	w.line(true)
}

func (w *writer) text(said string) {
	if w.pre > 0 {
		w.out = append(w.out, said...)
		return
	}
	words := strings.Join(strings.Fields(said), " ")
	if words == "" {
		if said != "" && len(w.out) > 0 && strings.IndexByte("\n ", w.out[len(w.out)-1]) < 0 {
			w.out = append(w.out, ' ')
		}
		return
	}
	if strings.TrimLeft(said, " \t\r\n") != said && len(w.out) > 0 && strings.IndexByte("\n ", w.out[len(w.out)-1]) < 0 {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, words...)
	if strings.TrimRight(said, " \t\r\n") != said {
		w.out = append(w.out, ' ')
	}
}

// marks stand on both sides of what is inside an element.
var marks = map[string]string{"b": "**", "strong": "**", "em": "*", "i": "*", "code": "`", "kbd": "`", "samp": "`", "tt": "`", "del": "~~"}

func (w *writer) open(t *tag) {
	switch name := t.name; {
	case name == "br":
		w.line(false)
	case name == "hr":
		w.line(true)
		w.out = append(w.out, "---"...)
		w.line(true)
	case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
		w.line(true)
		w.out = append(w.out, strings.Repeat("#", int(name[1]-'0'))+" "...)
	case name == "pre":
		w.line(true)
		w.out = append(w.out, "```\n"...)
		w.pre++
	case name == "blockquote":
		w.line(true)
		w.quotes = append(w.quotes, len(w.out))
	case name == "ul" || name == "ol":
		w.line(len(w.lists) == 0)
		n := -1
		if name == "ol" {
			n = 0
		}
		w.lists = append(w.lists, n)
	case name == "li":
		w.item()
	case name == "a":
		w.links = append(w.links, link{len(w.out), t.attrs["href"]})
	case name == "img":
		if alt := strings.Join(strings.Fields(t.attrs["alt"]), " "); alt != "" {
			w.text("[picture: " + alt + "]")
		}
	case name == "table":
		w.line(true)
		w.rows = 0
	case name == "tr":
		w.line(false)
		w.cells = 0
	case name == "td" || name == "th":
		if w.cells++; w.cells == 1 {
			w.out = append(w.out, "| "...)
		}
	case marks[name] != "" && w.pre == 0:
		w.out = append(w.out, marks[name]...)
	case slices.Contains(blocks, name):
		w.line(true)
	}
}

// item begins one of a list.
func (w *writer) item() {
	w.line(false)
	depth := max(len(w.lists), 1)
	mark := "- "
	if len(w.lists) > 0 && w.lists[depth-1] >= 0 {
		w.lists[depth-1]++
		mark = fmt.Sprintf("%d. ", w.lists[depth-1])
	}
	w.out = append(w.out, strings.Repeat("  ", depth-1)+mark...)
}

func (w *writer) close(name string) {
	switch {
	case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
		w.line(true)
	case name == "pre" && w.pre > 0:
		w.pre--
		w.out = append(bytes.TrimRight(w.out, "\n"), "\n```"...)
		w.line(true)
	case name == "blockquote" && len(w.quotes) > 0:
		w.unquote()
	case (name == "ul" || name == "ol") && len(w.lists) > 0:
		w.lists = w.lists[:len(w.lists)-1]
		w.line(len(w.lists) == 0)
	case name == "a" && len(w.links) > 0:
		w.link()
	case name == "td" || name == "th":
		w.out = append(w.out, " | "...)
	case name == "tr":
		if w.rows++; w.rows == 1 && w.cells > 0 {
			w.line(false)
			w.out = append(w.out, "|"+strings.Repeat(" --- |", w.cells)...)
		}
	case marks[name] != "" && w.pre == 0:
		w.mark(marks[name])
	case slices.Contains(blocks, name):
		w.line(true)
	}
}

// mark ends what stands between marks; between which nothing stands, there are none.
func (w *writer) mark(m string) {
	text := bytes.TrimRight(w.out, " ")
	if inner, empty := bytes.CutSuffix(text, []byte(m)); empty {
		w.out = inner
		return
	}
	space := len(w.out) > len(text)
	w.out = append(w.out[:len(text)], m...)
	if space {
		w.out = append(w.out, ' ')
	}
}

// link ends one: with its address, where that leads to a page.
func (w *writer) link() {
	l := w.links[len(w.links)-1]
	w.links = w.links[:len(w.links)-1]
	if w.pre > 0 || l.from > len(w.out) {
		return
	}
	inner := string(w.out[l.from:])
	said := strings.TrimSpace(inner)
	to, err := url.Parse(strings.TrimSpace(l.to))
	if err != nil || said == "" || strings.Contains(said, "\n") || l.to == "" || strings.HasPrefix(l.to, "#") {
		return
	}
	if w.base != nil {
		to = w.base.ResolveReference(to)
	}
	if to.Scheme != "http" && to.Scheme != "https" {
		return
	}
	lead, tail, _ := strings.Cut(inner, said)
	w.out = append(w.out[:l.from], lead+"["+said+"]("+to.String()+")"+tail...)
}
