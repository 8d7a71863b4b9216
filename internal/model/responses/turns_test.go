package responses

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
)

// Outputs that are under way at the same time are said one after the other: what a message says stays together, and what ends another
// output ends nothing of it.
func TestOutputsDoNotMix(t *testing.T) {
	added := func(place int, kind string) string {
		return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":{"type":"%s","call_id":"c","name":"list"}}`, place, kind)
	}
	delta := func(place int, kind, s string) string {
		return fmt.Sprintf(`{"type":"response.%s.delta","output_index":%d,"delta":"%s"}`, kind, place, s)
	}
	over := func(place int, item string) string {
		return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, place, item)
	}
	const message, other, call = `{"type":"message","phase":"final","content":[{"text":"one two"}]}`, `{"type":"message","content":[{"text":"three"}]}`, `{"type":"function_call","call_id":"c","name":"list","arguments":"{}"}`
	summary := `{"type":"response.reasoning_summary_part.added","output_index":1,"summary_index":1}`
	sent := `{"role":"assistant","content":"one two","phase":"final"}`
	for name, c := range map[string]struct {
		events []string
		want   string
	}{
		"thought within":     {[]string{added(0, "message"), delta(0, "output_text", "one "), delta(1, "reasoning_text", "hm"), summary, delta(0, "output_text", "two"), over(0, message), over(1, thought), over(2, call)}, sent + "," + thought},
		"thought ends first": {[]string{added(0, "message"), delta(0, "output_text", "one "), added(1, "reasoning"), delta(1, "reasoning_summary_text", "hm"), over(1, thought), delta(0, "output_text", "two"), over(0, message), over(2, call)}, sent + "," + thought},
		"message within":     {[]string{added(0, "message"), delta(0, "output_text", "one "), added(1, "message"), delta(1, "output_text", "three"), delta(0, "output_text", "two"), over(0, message), over(1, other), over(2, call)}, sent + `,{"role":"assistant","content":"three"}`},
		"call within":        {[]string{added(0, "message"), delta(0, "output_text", "one "), added(1, "function_call"), delta(1, "function_call_arguments", "{}"), over(1, call), delta(0, "output_text", "two"), over(0, message)}, sent + `,{"type":"function_call"`},
		"never begun":        {[]string{delta(1, "reasoning_text", "hm"), added(0, "message"), delta(0, "output_text", "one two"), over(0, message), over(1, thought), over(2, call)}, sent + "," + thought},
		"call behind":        {[]string{delta(0, "reasoning_text", "hm"), added(1, "function_call"), over(0, thought), over(1, call)}, `{"type":"function_call","call_id":"c","name":"list","arguments":"{}"}`},
		"never over":         {[]string{added(0, "message"), delta(0, "output_text", "one two"), added(1, "function_call"), delta(1, "function_call_arguments", "{}")}, `{"role":"assistant","content":"one two"},{"type":"function_call","call_id":"c","name":"list","arguments":"{}"}`},
		"phase behind":       {[]string{delta(0, "output_text", "one two"), delta(1, "reasoning_text", "hm"), over(0, message), over(1, `{"type":"reasoning"}`), over(2, call)}, `{"role":"assistant","content":"one two"},{"type":"function_call"`},
	} {
		r, err := decoded(events(append(c.events, done)...))
		body := string(New(gpt).Ask(nebula.Prompt{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: r.Parts}}}).Body)
		if err != nil || len(r.Calls()) != 1 || r.Calls()[0].Arguments != "{}" || !strings.Contains(body, c.want) || strings.Contains(body, `"phase":{`) || r.Finish != "tool_calls" {
			t.Errorf("%s: %v\n%s has not\n%s", name, err, body, c.want)
		}
		for _, p := range r.Parts {
			if p.Call != nil && p.Opaque != nil {
				t.Errorf("%s: %+v", name, r.Parts)
			}
		}
	}
}
