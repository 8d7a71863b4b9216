package protocol

import (
	"fmt"

	"nebula"
	"nebula/internal/lists"
)

// Spoilt says why arguments read with doubts cannot be used: a payload's bytes are not certain. It is empty when no
// payload of the tool is concerned.
func Spoilt(doubts []Doubt, spec nebula.ToolSpec) string {
	for _, d := range doubts {
		for _, key := range d.Keys {
			if p, ok := payloadNamed(key, spec); ok {
				return fmt.Sprintf("the text of %s is not certain: %s (line %d of the arguments). Nothing was done; write the call again with valid JSON.", p.Name, d.What, d.Line)
			}
		}
	}
	return ""
}

// payloadNamed finds the payload that key names, in any of the spellings that [Resolve] takes.
func payloadNamed(key string, spec nebula.ToolSpec) (nebula.Param, bool) {
	word := fold(key)
	for _, p := range spec.Params {
		if !p.Payload {
			continue
		}
		name := fold(p.Name)
		if name == word || lists.Has(argumentWords[name], word) || lists.Has(ItemFields(p), key) {
			return p, true
		}
	}
	return nebula.Param{}, false
}
