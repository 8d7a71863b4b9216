package phrase

import "encoding/json"

// Texts are the strings in a JSON value, as they are and not as JSON has them; none in what is no JSON.
func Texts(raw []byte) (list []string) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			list = append(list, v)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(v)
	return list
}
