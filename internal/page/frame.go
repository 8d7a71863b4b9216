package page

import (
	_ "embed" // the page's script, style and sign, packed
	"strings"

	"nebula/internal/packed"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
)

//go:embed page.flate
var carried []byte

var files = packed.Files(carried)

// File is one that a page loads, all of them its own: page.js, page.css or icon.svg.
func File(name string) string { return files()[name] }

// Policy is the Content-Security-Policy of all pages: nothing runs but the script, nothing is loaded from elsewhere, no text
// becomes a script or markup, and nobody shows a page in a frame.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// A Frame is what all pages of a server have in common.
type Frame struct {
	Lang string
	Base string // the path below which all of them are, without a slash at its end
}

// said is a text of ours in the page's language.
//
//go:noinline
func (f Frame) said(english string) string { return phrase.In(f.Lang, english) }

// whole is a page: what is in its body, below a title.
func (f Frame) whole(title string, body Node) string {
	head := el("head",
		el("meta").set("charset", "utf-8"),
		el("meta").set("name", "viewport").set("content", "width=device-width, initial-scale=1"),
		el("meta").set("name", "color-scheme").set("content", "light dark"),
		el("title", text(title+" · nebula")),
		el("link").set("rel", "icon").set("href", f.Base+"/icon.svg"),
		el("link").set("rel", "stylesheet").set("href", f.Base+"/page.css"),
		el("script").set("src", f.Base+"/page.js").set("defer", ""),
	)
	return "<!doctype html>\n" + el("html", head, body).set("lang", f.Lang).HTML() + "\n"
}

// Problem is a page that says why there is no other. Strangers see it too, so it does not tell the base, which keeps the cookie from
// other servers of this computer.
func (f Frame) Problem(why string) string {
	head := el("head", el("meta").set("charset", "utf-8"), el("meta").set("name", "viewport").set("content", "width=device-width, initial-scale=1"),
		el("meta").set("name", "color-scheme").set("content", "light dark"), el("title", text(f.said("Not here")+" · nebula")))
	return "<!doctype html>\n" + el("html", head, el("body", el("main", el("h1", text("nebula")), el("p", text(why))))).set("lang", f.Lang).HTML() + "\n"
}

// Onward is a page that leads to the list of sessions by itself: whoever comes from elsewhere has come from here then.
func (f Frame) Onward(query string) string {
	to := f.Base + "/"
	if query != "" {
		to += "?" + query
	}
	head := el("head", el("meta").set("charset", "utf-8"), el("meta").set("http-equiv", "refresh").set("content", "0;url="+to), el("title", text("nebula")))
	return "<!doctype html>\n" + el("html", head, el("body", el("p", el("a", text("nebula")).set("href", to)))).set("lang", f.Lang).HTML() + "\n"
}

// plain is foreign text in which everything shows that hides.
func plain(s string) Node { return text(terminal.Visible(s)) }

// line is foreign text in one line.
func line(s string) Node { return text(terminal.OneRow(strings.TrimSpace(s))) }
