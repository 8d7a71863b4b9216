package model

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model/anthropic"
	"nebula/internal/model/chat"
	"nebula/internal/model/gemini"
	"nebula/internal/model/responses"
	"nebula/internal/model/transport"
)

// What a reply has to be stands in each provider's own form, and is left out where the server refuses it.
func TestWhatAReplyHasToBeIsSaidInEachForm(t *testing.T) {
	const schema = `{"type":"object","additionalProperties":false}`
	for _, c := range []struct {
		name    string
		adapter transport.Adapter
		effort  nebula.Effort
		form    string
		refusal string
	}{
		{"chat", chat.New(Endpoint{BaseURL: "http://127.0.0.1:9/v1", Model: "m"}, dialectOf(Endpoint{BaseURL: "http://127.0.0.1:9/v1", Model: "m"}), false), "", `"response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":` + schema + `}}`, "response_format is not supported"},
		{"responses", responses.New(Endpoint{BaseURL: "https://api.openai.com/v1", Model: "gpt-5"}), "", `"text":{"format":{"type":"json_schema","name":"reply","schema":` + schema + `}}`, "Invalid parameter: text.format"},
		{"anthropic", anthropic.New(Endpoint{Model: "claude-sonnet-4-5"}, nebula.ModelInfo{}), "", `"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}`, "output_config.format: not supported by this model"},
		{"anthropic with effort", anthropic.New(Endpoint{Model: "claude-opus-5"}, nebula.ModelInfo{}), nebula.EffortLow, `"output_config":{"effort":"low","format":{"type":"json_schema","schema":` + schema + `}}`, "output_config.format: invalid schema"},
		{"gemini", gemini.New(Endpoint{Model: "gemini-2.5-flash"}, nebula.ModelInfo{}), "", `"responseMimeType":"application/json","responseJsonSchema":` + schema, "Unknown name responseJsonSchema"},
	} {
		p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("hi")}}, Schema: json.RawMessage(schema), Effort: c.effort}
		x := c.adapter.Ask(p)
		if !json.Valid(x.Body) || strings.Count(string(x.Body), c.form) != 1 {
			t.Errorf("%s: %s", c.name, x.Body)
		}
		if _, learnt := x.Learn(transport.Refusal{Status: http.StatusBadRequest, Kind: "bad_request", Raw: c.refusal, Final: true}); !learnt {
			t.Errorf("%s: nothing was learnt of %q", c.name, c.refusal)
		}
		if x = c.adapter.Ask(p); !json.Valid(x.Body) || strings.Contains(string(x.Body), "schema") || strings.Contains(string(x.Body), "JsonSchema") {
			t.Errorf("%s: sent again: %s", c.name, x.Body)
		}
		if c.effort != "" && !strings.Contains(string(x.Body), `"effort":"low"`) {
			t.Errorf("%s: the effort went too: %s", c.name, x.Body)
		}
	}
}
