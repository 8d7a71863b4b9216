package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
)

// roles are a prompt's messages as a server sees them: their roles, and what of them matters here.
func roles(t *testing.T, p nebula.Prompt, d Dialect) string {
	t.Helper()
	var request struct {
		Messages []struct {
			Role, Content string
			Call          string                `json:"tool_call_id"`
			Calls         []struct{ ID string } `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(appendRequest(nil, "m", p, d, ""), &request); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range request.Messages {
		line := m.Role + m.Call
		for _, c := range m.Calls {
			line += "+" + c.ID
		}
		out = append(out, line+":"+strings.ReplaceAll(m.Content, "\n", "/"))
	}
	return strings.Join(out, " | ")
}

func TestConversationsAreShapedForTheTemplate(t *testing.T) {
	calls := []nebula.Call{{ID: "c1", Name: "list"}, {ID: "c2", Name: "read"}}
	native := nebula.Prompt{System: "S", Messages: []nebula.Message{
		{Role: nebula.User, Parts: nebula.Text("a")}, {Role: nebula.User, Parts: nebula.Text("b")}, {Role: nebula.Assistant, Parts: nebula.PartsOf("", "", calls...)},
		{Role: nebula.ToolRole, CallID: "c1", Parts: nebula.Text("one")}, {Role: nebula.ToolRole, CallID: "c2", Parts: nebula.Text("two")}, {Role: nebula.User, Parts: nebula.Text("c")},
	}}
	answer := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text("x")}, {Role: nebula.Assistant, Parts: nebula.Text("y")}}}
	for _, c := range []struct {
		p    nebula.Prompt
		s    Shape
		want string
	}{
		{native, Shape{}, "system:S | user:a//b | assistant+c1+c2: | toolc1:one | toolc2:two | user:c"},
		{answer, Shape{}, "user:(The conversation goes on.) | assistant:x//y"},
		{native, Shape{Folded: true}, "user:S//a//b | assistant+c1+c2: | toolc1:one | toolc2:two | user:c"},
		{native, Shape{Inside: true}, "system:S | user:a//b | assistant+c1+c2: | toolc1:one | toolc2:two//[said after this result]/c"},
		{native, Shape{Single: true}, "system:S | user:a//b | assistant+c1: | toolc1:one | assistant+c2: | toolc2:two | user:c"},
		{native, Shape{Flat: true}, "system:S | user:a//b | assistant:(called list )/(called read ) | user:(result of list) one//(result of read) two//c"},
	} {
		if got := roles(t, c.p, Dialect{Shape: c.s}); got != c.want {
			t.Errorf("%+v\n%s\nwant\n%s", c.s, got, c.want)
		}
	}
	ids := roles(t, native, Dialect{Shape: Shape{IDs: true}})
	if !strings.Contains(ids, "+"+nine("c1")+"+"+nine("c2")) || !strings.Contains(ids, "tool"+nine("c2")) || len(nine("c1")) != 9 || nine("abcdefgh9") != "abcdefgh9" {
		t.Errorf("ids: %s", ids)
	}
	if native.Messages[0].Text() != "a" || native.Messages[2].Calls()[0].ID != "c1" {
		t.Errorf("the conversation itself was changed: %+v", native.Messages)
	}
}

func TestTemplatesRefusalsAreLearntFromOnce(t *testing.T) {
	for _, said := range []string{
		"System role not supported", "Developer instruction is not enabled for models/gemma-3", "Tool call IDs should be alphanumeric strings with length 9!",
		"This model only supports single tool-calls at once!", "Message has tool role, but there was no previous assistant message with a tool call!",
		"You have passed a message containing <|channel|> tags", "Cannot pass both content and thinking", "argument of type 'NoneType' is not iterable",
	} {
		d, learnt := relearn(strings.ToLower(said), Dialect{Reasoning: "reasoning_content"})
		if _, again := relearn(strings.ToLower(said), d); !learnt || again {
			t.Errorf("%s: learnt %v, again %v", said, learnt, again)
		}
	}
	d, _ := relearn("conversation roles must alternate user/assistant", Dialect{})
	if d, _ = relearn("conversation roles must alternate user/assistant", d); !d.Shape.Inside || !d.Shape.Flat {
		t.Errorf("%+v", d.Shape)
	}
	if _, learnt := relearn("the model is overloaded", Dialect{}); learnt {
		t.Error("something was learnt from nothing")
	}
}
