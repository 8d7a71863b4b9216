package nebula

import "encoding/json"

// Reformed reports whether the bodies of a name were other in the first form than they are now.
func Reformed(name string) bool { return firstForm[name] != nil }

// firstForm reads the bodies that were other than they are now before bodies said in which form they are.
var firstForm = map[string]func([]byte) (Body, error){
	"replied": func(data []byte) (Body, error) {
		b := struct {
			*Replied
			Reply struct {
				Text      string `json:"text"`
				Reasoning string `json:"reasoning"`
				Calls     []Call `json:"calls"`
				Reply
			} `json:"reply"`
		}{Replied: &Replied{}}
		err := json.Unmarshal(data, &b)
		b.Replied.Reply = b.Reply.Reply
		b.Replied.Reply.Parts = PartsOf(b.Reply.Reasoning, b.Reply.Text, b.Reply.Calls...)
		return *b.Replied, err
	},
	"observed": func(data []byte) (Body, error) {
		var b struct {
			Messages []struct {
				Role      Role    `json:"role"`
				Text      string  `json:"text"`
				Reasoning string  `json:"reasoning"`
				Calls     []Call  `json:"calls"`
				CallID    string  `json:"call_id"`
				Images    []Image `json:"images"`
			} `json:"messages"`
		}
		err := json.Unmarshal(data, &b)
		var out Observed
		for _, m := range b.Messages {
			parts := append(PartsOf(m.Reasoning, m.Text), append(Pictures(m.Images...), PartsOf("", "", m.Calls...)...)...)
			out.Messages = append(out.Messages, Message{Role: m.Role, Parts: parts, CallID: m.CallID})
		}
		return out, err
	},
}
