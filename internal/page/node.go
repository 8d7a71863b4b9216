// Package page draws sessions for a browser: the rows of a transcript, what the person is asked, and the work beside it, as
// trees of elements. It speaks to nobody.
//
// A [Node] is the only way a text gets onto the page. It is written as HTML with everything escaped for the first view, and
// as JSON for what comes later, of which the page's script makes elements and texts by hand: in neither way does a text
// become an element, an attribute or a script.
package page

import (
	"encoding/json"
	"html"
	"strings"
)

// A Node is an element with what it holds, or a text where it has no tag.
type Node struct {
	tag  string
	text string
	with []string // names and values of attributes, in turn
	kids []Node
}

// text is foreign text as it stands; the caller has made visible what hides.
//
//go:noinline
func text(s string) Node { return Node{text: s} }

// el is an element. Its words are ours: the tag, and the attributes as "name=value" or a name alone; a dot begins a class.
// Pages are put together from hundreds of these: as code in each place they would be 100 KB of the program.
//
//go:noinline
func el(tag string, kids ...Node) Node { return Node{tag: tag, kids: kids} }

// set is the element with an attribute. The name is ours; the value may be foreign, and is never an address or a style.
//
//go:noinline
func (n Node) set(name, value string) Node {
	n.with = append(n.with[:len(n.with):len(n.with)], name, value)
	return n
}

// class is the element with its classes.
//
//go:noinline
func (n Node) class(names string) Node {
	if names == "" {
		return n
	}
	return n.set("class", names)
}

// add is the element with more in it. It copies what is there: of what may be long, the parts are gathered first.
//
//go:noinline
func (n Node) add(kids ...Node) Node {
	n.kids = append(n.kids[:len(n.kids):len(n.kids)], kids...)
	return n
}

// empty are the elements that have no end.
var empty = map[string]bool{"input": true, "link": true, "meta": true, "br": true, "hr": true}

// HTML is the node as a page holds it.
//
//go:noinline
func (n Node) HTML() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n Node) write(b *strings.Builder) {
	if n.tag == "" {
		b.WriteString(html.EscapeString(n.text))
		return
	}
	b.WriteString("<" + n.tag)
	for i := 0; i < len(n.with); i += 2 {
		b.WriteString(" " + n.with[i] + `="` + html.EscapeString(n.with[i+1]) + `"`)
	}
	b.WriteString(">")
	if empty[n.tag] {
		return
	}
	if n.tag == "pre" || n.tag == "textarea" {
		b.WriteString("\n") // the first one is not shown
	}
	for _, k := range n.kids {
		k.write(b)
	}
	b.WriteString("</" + n.tag + ">")
}

// MarshalJSON writes a text as a string, and an element as its tag, its attributes and what it holds, in one array.
func (n Node) MarshalJSON() ([]byte, error) {
	if n.tag == "" {
		return json.Marshal(n.text)
	}
	with := map[string]string{}
	for i := 0; i < len(n.with); i += 2 {
		with[n.with[i]] = n.with[i+1]
	}
	all := []any{n.tag, with}
	for _, k := range n.kids {
		all = append(all, k)
	}
	return json.Marshal(all)
}

// attribute is the value of an attribute; empty where there is none.
//
//go:noinline
func (n Node) attribute(name string) string {
	for i := 0; i < len(n.with); i += 2 {
		if n.with[i] == name {
			return n.with[i+1]
		}
	}
	return ""
}
