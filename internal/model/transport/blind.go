package transport

import (
	"slices"

	"nebula"
	"nebula/internal/lists"
)

// What stands where a picture was, or a document, for a model that takes none.
const (
	unseen = "[a picture, which you cannot see]"
	unread = "[a PDF, which you cannot read; pdftotext -layout shows the text of its file]"
)

// edge is the longest that a side of a picture is sent with, in pixels, where the server's provider tells no other: all make
// larger ones smaller before they look.
const edge = 2048

// fitted are messages with pictures no larger than the server looks at. Each is made smaller once, so that the same request is
// the same bytes.
func (c *Client) fitted(messages []nebula.Message) []nebula.Message {
	most, out := c.service.Edge, messages
	if most == 0 {
		most = edge
	}
	for i, m := range messages {
		for j, p := range m.Parts {
			if p.Image == nil || len(p.Image.Data) == 0 {
				continue
			}
			key := &p.Image.Data[0]
			small, ok := c.small.Load(key)
			if !ok {
				small, _ = c.small.LoadOrStore(key, p.Image.Within(most))
			}
			if now := small.(nebula.Image); len(now.Data) != len(p.Image.Data) {
				if &out[0] == &messages[0] {
					out = lists.Clone(messages)
				}
				if &out[i].Parts[0] == &m.Parts[0] {
					out[i].Parts = lists.Clone(m.Parts)
				}
				out[i].Parts[j].Image = &now
			}
		}
	}
	return out
}

// visible are messages without what the model is not shown: pictures or documents that it does not take, and those that the server
// could not read. A list that has none is returned as it is.
func (c *Client) visible(messages []nebula.Message) []nebula.Message {
	out := messages
	for i, m := range messages {
		for j, p := range m.Parts {
			words := c.hidden(p.Image)
			if words == "" {
				continue
			}
			if &out[0] == &messages[0] {
				out = lists.Clone(messages)
			}
			if &out[i].Parts[0] == &m.Parts[0] {
				out[i].Parts = lists.Clone(m.Parts)
			}
			out[i].Parts[j] = nebula.Part{Kind: nebula.TextPart, Text: "\n" + words}
		}
	}
	return out
}

// hidden is what stands in the place of a picture or a document that is not sent; empty for one that is.
func (c *Client) hidden(i *nebula.Image) string {
	if i == nil {
		return ""
	}
	words, takes := unseen, c.info.Images
	if i.Type == nebula.PDF {
		words, takes = unread, c.info.Documents && takes
	}
	if !takes {
		return words
	}
	if _, refused := c.spurned.Load(begin(i)); refused {
		return words
	}
	return ""
}

// begin tells pictures apart without looking at them.
func begin(i *nebula.Image) *byte {
	if len(i.Data) == 0 {
		return nil
	}
	return &i.Data[0]
}

// spurns reports whether a server refused a request for a picture or a document in it that it cannot read, though it looked whole:
// the newest of them is left out, since what was taken before can be read, and the conversation goes on. The person is told.
func (c *Client) spurns(p *nebula.Prompt, r Refusal) (said nebula.Words, again bool) {
	if !r.Final || r.Kind != "bad_request" || !r.Names("image", "picture", "pdf", "document", "file", "media") {
		return nebula.Words{}, false
	}
	for _, m := range slices.Backward(p.Messages) {
		for _, part := range slices.Backward(m.Parts) {
			if part.Image == nil {
				continue
			}
			c.spurned.Store(begin(part.Image), true)
			p.Messages = c.visible(p.Messages)
			if part.Image.Type == nebula.PDF {
				return nebula.Say("the server cannot read the PDF, which is left out: %s", c.redact.clean(r.Said)), true
			}
			return nebula.Say("the server cannot read the picture, which is left out: %s", c.redact.clean(r.Said)), true
		}
	}
	return nebula.Words{}, false
}
