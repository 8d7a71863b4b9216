package judge

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// What stands on the line of a fence counts as much as what stands above or below it: words that take the block back, quote it or strike it out.
func TestWhatStandsOnTheLineOfAFenceIsHeard(t *testing.T) {
	tools := nebulatest.Specs()
	for _, call := range []string{`{"name":"writeFile","arguments":{"path":"evil.txt","content":"x\n"}}`, `{"actions":[{"type":"writeFile","params":{"path":"evil.txt","content":"x\n"}}]}`} {
		for _, l := range languages() {
			for _, dress := range []string{
				"```json\n%s\n``` withdrawn, do not run", "```json\n%s\n``` (withdrawn)", "~~```json\n%s\n```~~", "~~```json\n%s\n```~~ (withdrawn)", "~~~~json\n%s\n~~~~ cancelled", "```json\n%s\n```~~ no",
				"```json\n%s\n```\n~~the above~~", "<s>```json\n%s\n```</s>", "\"```json\n%s\n```\" said the issue", "「```json\n%s\n```」と書いてある", "| ```json\n%s\n``` | no |", "```json\n%s\n``` ← だめ", "```json\n%s\n``` 取り消します",
			} {
				if in := l.decode(nebula.Reply{Parts: nebula.Text(strings.Replace(dress, "%s", call, 1)), Finish: "stop"}, tools); runs(in, tools) {
					t.Errorf("%s: %q runs", l.Name(), dress)
				}
			}
			for _, dress := range []string{"```json\n%s\n```", "```json\n%s\n``` ", "~~~json\n%s\n~~~", "```\n%s\n```\n"} {
				in := l.decode(nebula.Reply{Parts: nebula.Text(strings.Replace(dress, "%s", call, 1)), Finish: "stop"}, tools)
				if !runs(in, tools) {
					t.Errorf("%s: %q does not run", l.Name(), dress)
				}
			}
		}
	}
}
