package transport

import "encoding/json"

type fields map[string]json.RawMessage

// Text returns the content of a JSON string, and nothing for anything else.
func Text(raw json.RawMessage) []byte {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return []byte(s)
}

// Present returns raw unless it is absent or null.
func Present(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}
