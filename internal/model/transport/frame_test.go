package transport

import (
	"encoding/json"
	"testing"
)

// What is read by the frame of an event is what reading the event says, or nothing.
func FuzzFrame(f *testing.F) {
	const first = `{"model":"m","content":"a\nb","n":[{"x":"content"}],"z":1}`
	for _, s := range []string{first, `{"model":"m","content":"","n":[{"x":"content"}],"z":1}`, `{"model":"m","content":"c\"","n":[{"x":"content"}],"z":1}`,
		`{"model":"m","content":"\u00e9\\","n":[{"x":"content"}],"z":1}`, `{"model":"m","content":"c\\\\","n":[{"x":"content"}],"z":1}`,
		`{"model":"m","content":"\","n":[{"x":"content"}],"z":1}`, `{"model":"m","content":"c","content":"d","n":[{"x":"content"}],"z":1}`,
		`{"model":"m","content":"日本\ud83d\ude00","n":[{"x":"content"}],"z":1}`, "{\"model\":\"m\",\"content\":\"\xff\t\",\"n\":[{\"x\":\"content\"}],\"z\":1}", `{"model":"m","content":null}`, `"content":"`} {
		f.Add(first, s)
		f.Add(s, first)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		said := func(event string) (string, bool) {
			var v struct {
				Content json.RawMessage `json:"content"`
			}
			ok := json.Unmarshal([]byte(event), &v) == nil
			return string(Text(v.Content)), ok
		}
		text, ok := said(a)
		var frame Frame
		if !ok || text == "" || !frame.Around(text, []byte(a), "content") {
			return
		}
		if got := frame.Text([]byte(a)); string(got) != text {
			t.Fatalf("%q is read as %q, for %q", a, got, text)
		}
		if got := frame.Text([]byte(b)); len(got) > 0 {
			if want, ok := said(b); !ok || want != string(got) {
				t.Fatalf("after %q, %q is read as %q, for %q (%t)", a, b, got, want, ok)
			}
		}
	})
}

func TestAFrameIsOfOneString(t *testing.T) {
	var f Frame
	for event, want := range map[string]bool{
		`{"content":"a","z":1}`:                        true,
		`{"z":{"content":"a"}}`:                        true,
		`{"content" : "a"}`:                            true,
		`{"content":`:                                  false,
		`{"content":a}`:                                false,
		`{"content":"a","Content":"a"}`:                false,
		`{"x\"content":"a"}`:                           false,
		`{"content":"b"}`:                              false,
		`{"z":[{"content":"a"},{"content":"a"}]}`:      false,
		`{"content":"\u0061"}`:                         true,
		`{"content":"a`:                                false,
		`{"content":"a\`:                               false,
		`{"content":"a","tool":{"name":"content"}}`:    false,
		`{"content":["a"]}`:                            false,
		`{"reasoning_content":"a","z":{"content":""}}`: false,
	} {
		if got := f.Around("a", []byte(event), "content"); got != want {
			t.Errorf("%s: %t", event, got)
		}
	}
	f.Around("a", []byte(`{"content":"a","z":1}`), "content")
	for event, want := range map[string]string{
		`{"content":"b\tc","z":1}`: "b\tc", `{"content":"","z":1}`: "", `{"content":"b","z":2}`: "", `{"content":"b"x","z":1}`: "", `{"content":"b\","z":1}`: "", `{"content":"`: "", `{"content":"b","z":1},"z":1}`: "",
	} {
		if got := f.Text([]byte(event)); string(got) != want {
			t.Errorf("%s: %q", event, got)
		}
	}
}
