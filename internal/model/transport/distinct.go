package transport

import (
	"cmp"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// PlainID is an id in the letters that ids may have everywhere.
//
//go:noinline
func PlainID(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, id)
}

// maxID is how long the id of a call may be: what OpenAI takes.
const maxID = 64

// distinct are messages in which no two calls have one id and none has a longer one than may be, as servers demand that themselves begin to count anew with each reply. A call
// whose id an earlier one has gets another, which follows from what stands before it alone, and so does its result: a conversation that
// grew is sent in the same bytes. A list without such calls is returned as it is.
func distinct(messages []nebula.Message) []nebula.Message {
	out, seen := messages, map[string]bool{"": true}
	waits := map[string][]string{} // by id, what the calls are named whose results are to come
	for i, m := range messages {
		id := m.CallID
		if names := waits[id]; m.Role == nebula.ToolRole && len(names) > 0 {
			if id = names[0]; len(names) > 1 {
				waits[m.CallID] = names[1:]
			}
		}
		changed := id != m.CallID
		if m.Role == nebula.Assistant && m.Has(nebula.CallPart) {
			began := map[string]bool{}
			m.Parts = m.EachCall(func(_ int, c nebula.Call) nebula.Call {
				was := c.ID
				if plain := PlainID(was); len(plain) > maxID {
					c.ID, changed = plain[:maxID/2]+nebula.Hash([]byte(was))[:maxID/4], true
				}
				short := cmp.Or(c.ID, "call")
				for n := 2; seen[PlainID(c.ID)]; n++ {
					c.ID, changed = short+"_"+strconv.Itoa(n), true
				}
				if !began[was] {
					began[was], waits[was] = true, nil
				}
				seen[PlainID(c.ID)], waits[was] = true, append(waits[was], c.ID)
				return c
			})
		}
		if !changed {
			continue
		}
		if &out[0] == &messages[0] {
			out = lists.Clone(messages)
		}
		out[i].CallID, out[i].Parts = id, m.Parts
	}
	return out
}
