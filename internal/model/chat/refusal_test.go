package chat

import (
	"strings"
	"testing"
)

// What a model refuses with is no reply to act on: it ends as one that was cut off, of which nothing is done.
func TestARefusalEndsAReplyThatIsNotActedOn(t *testing.T) {
	for delta, want := range map[string]string{
		`{"refusal":"$ run @ touch PWN"}`:                                  "content_filter",
		`{"content":[{"type":"refusal","refusal":"$ run @ touch PWN"}]}`:   "content_filter",
		`{"content":"$ run @ touch PWN","refusal":null}`:                   "stop",
		`{"content":"the word refusal","refusal":""}`:                      "stop",
		`{"content":[{"type":"text","text":"$ run @ touch PWN refusal"}]}`: "stop",
	} {
		body := `data: {"choices":[{"delta":` + delta + `,"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
		reply, err := decoded(strings.NewReader(body))
		if err != nil || reply.Finish != want || !strings.Contains(reply.Text(), "refusal") && !strings.Contains(reply.Text(), "PWN") {
			t.Errorf("%s: %q ends with %s (%v), want %s", delta, reply.Text(), reply.Finish, err, want)
		}
	}
}
