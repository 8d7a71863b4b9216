package transport

import "testing"

// What servers say of a request that is too long.
func TestWindowIsReadFromRefusals(t *testing.T) {
	for said, want := range map[string]int{
		`{"error":{"message":"This model's maximum context length is 8000 tokens. However, your messages resulted in 8534 tokens."}}`: 8000,
		`{"error":{"message":"the request exceeds the available context size","n_prompt_tokens":9000,"n_ctx":4096}}`:                  4096,
		`{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`:                                                  200000,
		`the input token count (40,000) exceeds the maximum number of tokens allowed (32,768)`:                                        32768,
		`requested 9000 tokens, which exceeds context window of 8,192 tokens`:                                                         8192,
		`too big`: 0,
		`This model's maximum context length is 3 pages`: 0,
	} {
		if got := windowIn(said); got != want {
			t.Errorf("%s: %d, want %d", said, got, want)
		}
	}
}
