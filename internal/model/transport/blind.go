package transport

import (
	"slices"

	"nebula"
)

// unseen stands where a picture was, for a model that takes none.
const unseen = "[a picture, which you cannot see]"

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
					out = slices.Clone(messages)
				}
				if &out[i].Parts[0] == &m.Parts[0] {
					out[i].Parts = slices.Clone(m.Parts)
				}
				out[i].Parts[j].Image = &now
			}
		}
	}
	return out
}

// blind are messages without pictures. A list that has none is returned as it is.
func blind(messages []nebula.Message) []nebula.Message {
	seen := func(m nebula.Message) bool { return m.Has(nebula.ImagePart) }
	if !slices.ContainsFunc(messages, seen) {
		return messages
	}
	out := slices.Clone(messages)
	for i, m := range out {
		if !seen(m) {
			continue
		}
		parts := slices.Clone(m.Parts)
		for j := range parts {
			if parts[j].Image != nil {
				parts[j] = nebula.Part{Kind: nebula.TextPart, Text: "\n" + unseen}
			}
		}
		out[i].Parts = parts
	}
	return out
}
