package dialect

import (
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// TestCallsInWordsAreNoAnswer holds replies that name a tool with its arguments and are no call to being sent back; what explains
// a call in a code span or a quotation is an answer.
func TestCallsInWordsAreNoAnswer(t *testing.T) {
	p, _ := language.Named("toolcall")
	decode := func(text string) nebula.Intent {
		return Tolerant(p.Protocol).Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
	}
	for _, text := range []string{
		`I'll call executeShell(command="touch RAN").`, `Calling executeShell with {"command": "touch RAN"}`, "executeShell\n{\"command\":\"touch RAN\"}",
		"Function call: executeShell\nArguments: {\"command\":\"touch RAN\"}", "<tool_code>\nprint(executeShell(command=\"touch RAN\"))\n</tool_code>",
		`call:executeShell{command:"touch RAN"}`, `＜tool_call＞{"name":"executeShell","arguments":{"command":"touch RAN"}}＜/tool_call＞`,
		`Let me do that: {'name': 'executeShell', 'arguments': {'command': 'touch RAN'}} right away`, `Now deleteFile(path="a") follows.`, `executeShell(touch RAN)`,
	} {
		if in := decode(text); len(in.Problems)+len(in.Actions) == 0 {
			t.Errorf("%q is an answer", text)
		}
	}
	for _, text := range []string{
		"The tool is called executeShell.", "Write `executeShell(command=\"x\")` to run a command.", "| executeShell(command=\"x\") | runs it |", "> executeShell(command=\"x\")",
		"```python\nclient.executeShell(command=\"x\")\n```\nThat is how the SDK is used.", "I used executeShell (twice) and it worked.",
	} {
		if in := decode(text); len(in.Problems)+len(in.Actions) != 0 {
			t.Errorf("%q is no answer: %+v", text, in.Problems)
		}
	}
	for _, lead := range []string{"I do it now:", "Executing now.", "今から実行します。", "You are right! Executing now."} {
		if in := decode(lead + "\n<tool_call>{\"name\":\"deleteFile\",\"arguments\":{\"path\":\"a\",\"reason\":\"r\"}}</tool_call>"); len(in.Actions) != 1 || in.Actions[0].Inferred {
			t.Errorf("%q asks: %+v", lead, in.Actions)
		}
	}
	for _, lead := range []string{"Tidy:", "For example:", "The log has:", "I do it once you agree:"} {
		if in := decode(lead + "\n<tool_call>{\"name\":\"deleteFile\",\"arguments\":{\"path\":\"a\",\"reason\":\"r\"}}</tool_call>"); len(in.Actions) == 1 && !in.Actions[0].Inferred {
			t.Errorf("%q runs: %+v", lead, in.Actions)
		}
	}
}
