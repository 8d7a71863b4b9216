package web

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"nebula/internal/lists"
)

// unread are elements whose content is no text of the page.
var unread = strings.Fields("head script style template svg math iframe object canvas select textarea nav footer aside button dialog noscript")

// leastMain is how much the part has to say that a page calls its main one.
const leastMain = 300

var toMarkdown = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled), converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false),
			commonmark.WithLinkEmptyHrefBehavior(commonmark.LinkBehaviorSkip), commonmark.WithLinkEmptyContentBehavior(commonmark.LinkBehaviorSkip)),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(table.WithHeaderPromotion(true), table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
	))
	signs := strings.NewReplacer("&lt;", "<", "&gt;", ">") // who reads this takes no sign for an element
	c.Register.TextTransformer(func(_ converter.Context, text string) string { return signs.Replace(text) }, converter.PriorityLate)
	return c
})

// Markdown is what a page says, with its title: headings, lists, tables, code and links. What is not shown to people, and what
// stands around the page's own text, is left out. base is where the page is.
func Markdown(page string, base *url.URL) (title, text string) {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return "", ""
	}
	if t := find(doc, "title"); t != nil && t.FirstChild != nil {
		title = strings.Join(strings.Fields(t.FirstChild.Data), " ")
	}
	tidy(doc, base)
	for _, name := range []string{"main", "article"} {
		if part := find(doc, name); part != nil {
			if text = written(part); len(text) >= leastMain {
				return title, text
			}
		}
	}
	return title, written(doc)
}

func written(n *html.Node) string {
	text, err := toMarkdown().ConvertNode(n)
	if err != nil {
		return ""
	}
	return string(text)
}

// find is the first element of a name.
func find(n *html.Node, name string) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == name {
			return c
		}
	}
	return nil
}

// tidy takes out what is no text of the page, has links lead somewhere or nowhere, and has pictures say what they show.
func tidy(n *html.Node, base *url.URL) {
	for _, c := range slices.Collect(n.ChildNodes()) {
		switch {
		case c.Type == html.ElementNode && (lists.Has(unread, c.Data) || hidden(c)):
			n.RemoveChild(c)
			continue
		case c.Type == html.ElementNode && c.Data == "img":
			c.Type, c.Data = html.TextNode, ""
			if alt := strings.Join(strings.Fields(attribute(c, "alt")), " "); alt != "" {
				c.Data = "[picture: " + alt + "]"
			}
		case c.Type == html.ElementNode && c.Data == "a":
			c.Attr = []html.Attribute{{Key: "href", Val: leads(attribute(c, "href"), base)}}
		}
		tidy(c, base)
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// hidden reports whether a browser shows nothing of an element.
func hidden(n *html.Node) bool {
	style := strings.ReplaceAll(strings.ToLower(attribute(n, "style")), " ", "") + ";"
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" }) || attribute(n, "aria-hidden") == "true" ||
		slices.ContainsFunc([]string{"display:none", "visibility:hidden", "font-size:0", "opacity:0;"}, func(s string) bool { return strings.Contains(style, s) })
}

// leads is the page that a link leads to; nothing where it leads to none.
func leads(to string, base *url.URL) string {
	at, err := url.Parse(strings.TrimSpace(to))
	if err != nil || to == "" || strings.HasPrefix(to, "#") {
		return ""
	}
	if base != nil {
		at = base.ResolveReference(at)
	}
	if at.Scheme != "http" && at.Scheme != "https" {
		return ""
	}
	return at.String()
}
