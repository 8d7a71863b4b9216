package transport

import (
	"slices"

	"nebula"
)

// unseen stands where a picture was, for a model that takes none.
const unseen = "[a picture, which you cannot see]"

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
