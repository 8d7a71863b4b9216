package dialect

import (
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

// Nobody knows which of two values is meant, whatever form a call is in.
func TestAnArgumentThatIsGivenTwiceIsNotChosen(t *testing.T) {
	for _, text := range []string{
		`🦆▶️[T:deleteFile|{"path":"a.txt","path":"b.txt"}]◀️🦆`,
		`🦆▶️[T:deleteFile(path="a.txt",path="b.txt")]◀️🦆`,
		"<tool_call>\n<function=deleteFile>\n<parameter=path>\na.txt\n</parameter>\n<parameter=path>\nb.txt\n</parameter>\n</function>\n</tool_call>",
		"<tool_call>deleteFile\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n<arg_key>path</arg_key>\n<arg_value>b.txt</arg_value>\n</tool_call>",
		`<invoke name="deleteFile"><parameter name="path">a.txt</parameter><parameter name="path">b.txt</parameter></invoke>`,
		`{"deleteFile":{"path":"a.txt","path":"b.txt"}}`,
		`{"operation":"deleteFile","args":{"path":"a.txt","path":"b.txt"}}`,
		`{"tool":"deleteFile","path":"a.txt","path":"b.txt"}`,
		`[deleteFile(path="a.txt", path="b.txt")]`,
		"Action: deleteFile\nAction Input: {\"path\":\"a.txt\",\"path\":\"b.txt\"}",
		"actions:\n- operation: deleteFile\n  args:\n    path: a.txt\n    path: b.txt",
		`<delete path="a.txt" path="b.txt"/>`,
		`<deleteFile><path>a.txt</path><path>b.txt</path></deleteFile>`,
		`🦆▶️[T:deleteFile|path=a.txt|path=b.txt]◀️🦆`,
		`🦆▶️[T:deleteFile|a.txt|path=b.txt]◀️🦆`,
		`🦆▶️[T:deleteFile|path=a.txt|Path=b.txt]◀️🦆`,
		`🦆▶️[T:deleteFile|{"path":"a.txt","Path":"b.txt"}]◀️🦆`,
		`{"operation":"deleteFile","args":{"path":"a.txt","Path":"b.txt"}}`,
		`{"operation":"deleteFile","args":{"path":"a.txt","PATH":"b.txt"}}`,
		`{"operation":"deleteFile","args":{"file_path":"a.txt","filePath":"b.txt"}}`,
		`{"operation":"deleteFile","args":{"Path":"a.txt","file_path":"b.txt"}}`,
		`<tool_call>{"name":"deleteFile","arguments":{"path":"a.txt","Path":"b.txt"}}</tool_call>`,
		`<invoke name="deleteFile"><parameter name="path">a.txt</parameter><parameter name="Path">b.txt</parameter></invoke>`,
		`<deleteFile><path>a.txt</path><Path>b.txt</Path></deleteFile>`,
		`[deleteFile(path="a.txt", Path="b.txt")]`,
		`<delete path="a.txt" Path="b.txt"/>`,
	} {
		for _, row := range language.All() {
			in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, row.Protocol, nebulatest.Specs())
			if len(in.Actions)+len(in.Problems) == 0 {
				t.Errorf("%s: %s is an answer", row.Name(), text)
			}
			for _, a := range in.Actions {
				if a.Problem == "" {
					t.Errorf("%s: %s is %s %s", row.Name(), text, a.Tool, a.Args)
				}
			}
		}
	}
}

// What a call's arguments needed to be read is told in every language.
func TestRepairsOfArgumentsAreTold(t *testing.T) {
	for _, row := range language.All() {
		in := Decode(nebula.Reply{Parts: nebula.Text(`🦆▶️[T:deleteFile|{'path':'a.txt',}]◀️🦆`), Finish: "stop"}, row.Protocol, nebulatest.Specs())
		if len(in.Actions) != 1 || len(in.Actions[0].Repairs) != 2 || in.Strategy == nebula.Strict {
			t.Errorf("%s: %+v", row.Name(), in)
		}
	}
}

// TestACallsArgumentThatIsGivenTwiceIsNotChosen is the same for calls beside the text, whatever their keys are written in.
func TestACallsArgumentThatIsGivenTwiceIsNotChosen(t *testing.T) {
	for args, problem := range map[string]bool{
		`{"path":"a.txt","path":"b.txt"}`: true, `{"path":"a.txt","Path":"b.txt"}`: true, `{"Path":"b.txt","path":"a.txt"}`: true,
		`{"path":"a.txt","PATH":"b.txt"}`: true, `{"file_path":"a.txt","filePath":"b.txt"}`: true, `{"path":"a.txt","file":"b.txt"}`: true,
		`{"path":"a.txt","Path":"a.txt"}`: false, `{"path":"a.txt","reason":"x","Reason":"y"}`: true,
	} {
		for _, row := range language.All() {
			r := nebula.Reply{Parts: nebula.PartsOf("", "", nebula.Call{ID: "c", Name: "deleteFile", Arguments: args}), Finish: "tool_calls"}
			in := Decode(r, row.Protocol, nebulatest.Specs())
			if len(in.Actions) != 1 || (in.Actions[0].Problem != "") != problem {
				t.Errorf("%s: %s is %+v", row.Name(), args, in.Actions)
			}
		}
	}
}
