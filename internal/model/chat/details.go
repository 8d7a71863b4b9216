package chat

import (
	"encoding/json"
	"slices"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/model/transport"
)

// Details are what a router says of a model's thoughts, in items with signatures, which it wants back as they were. In a stream
// an item comes in pieces.
type details struct {
	of    string // whose they are
	items []map[string]json.RawMessage
}

// grows are the members of an item of which each piece brings a part.
var grows = []string{"text", "summary", "data"}

// add takes a delta's pieces: one that has the index and the kind of an item before it is part of that.
func (d *details) add(raw json.RawMessage) {
	var pieces []map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &pieces) != nil {
		return
	}
	for _, p := range pieces {
		if p["type"] == nil {
			continue
		}
		i := slices.IndexFunc(d.items, func(item map[string]json.RawMessage) bool {
			return p["index"] != nil && string(p["index"]) == string(item["index"]) && string(p["type"]) == string(item["type"])
		})
		if i < 0 {
			d.items = append(d.items, p)
			continue
		}
		for name, value := range p {
			if more := transport.Text(value); more != nil && lists.Has(grows, name) {
				value = transport.AppendString(nil, string(transport.Text(d.items[i][name]))+string(more))
			}
			if transport.Present(value) != nil {
				d.items[i][name] = value
			}
		}
	}
}

// part is what goes back with the message; nil where nothing came.
func (d *details) part() *nebula.Part {
	if len(d.items) == 0 {
		return nil
	}
	raw, err := json.Marshal(d.items)
	if err != nil {
		return nil // they were read as JSON
	}
	return &nebula.Part{Kind: nebula.OpaquePart, Opaque: &nebula.Opaque{Of: d.of, Value: raw}}
}

// detailed is what came of a message's thoughts in items.
//
//go:noinline
func detailed(m nebula.Message) json.RawMessage {
	for _, p := range m.Parts {
		if p.Kind == nebula.OpaquePart && p.Opaque != nil {
			return p.Opaque.Value
		}
	}
	return nil
}
