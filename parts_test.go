package nebula_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"nebula"
)

func signed(of string) *nebula.Opaque {
	return &nebula.Opaque{Of: of, Value: json.RawMessage(`{"signature":"a+/<&>=="}`)}
}

// interleaved is a reply as no field for each kind could hold it: reasoning between calls, each with a signature of its own.
func interleaved() nebula.Parts {
	return nebula.Parts{
		{Kind: nebula.ReasoningPart, Text: "first", Opaque: signed("a")},
		{Kind: nebula.TextPart, Text: "I look."},
		{Kind: nebula.CallPart, Call: &nebula.Call{ID: "1", Name: "list", Arguments: "{}"}, Opaque: signed("a")},
		{Kind: nebula.ReasoningPart, Opaque: signed("a")},
		{Kind: nebula.ReasoningPart, Text: "then"},
		{Kind: nebula.CallPart, Call: &nebula.Call{ID: "2", Name: "list", Arguments: "{}"}},
		{Kind: nebula.OpaquePart, Opaque: signed("b")},
		{Kind: nebula.TextPart, Text: " And wait."},
	}
}

func TestPiecesBecomePartsInTheirOrder(t *testing.T) {
	var a nebula.Assembler
	whole := interleaved()
	for _, c := range []nebula.Chunk{
		{Reasoning: "void"}, {Retry: &nebula.RetryNotice{}},
		{Reasoning: "fir"}, {Reasoning: "st"}, {Opaque: whole[0].Opaque}, {Text: "I "}, {Text: "look."},
		{Call: &nebula.CallDelta{Index: 0, ID: "1", Name: "list"}}, {Call: &nebula.CallDelta{Index: 0, Arguments: "{"}},
		{Part: &whole[3]}, {Reasoning: "then"},
		{Call: &nebula.CallDelta{Index: 1, ID: "2", Name: "list", Arguments: "{}"}},
		{Call: &nebula.CallDelta{Index: 0, Arguments: "}", Opaque: whole[2].Opaque}}, {Call: &nebula.CallDelta{Index: 2, ID: "empty"}},
		{Part: &whole[6]}, {Text: " And wait."}, {Finish: "stop"},
	} {
		a.Add(c)
	}
	r, ok := a.Reply()
	if !ok || !reflect.DeepEqual(r.Parts, whole) {
		t.Errorf("%v %+v", ok, r.Parts)
	}
	if r.Text() != "I look. And wait." || r.Reasoning() != "firstthen" || len(r.Calls()) != 2 {
		t.Errorf("%q %q %v", r.Text(), r.Reasoning(), r.Calls())
	}
}

// What a provider gave for itself goes to no other, and to itself as it came.
func TestOpaqueGoesToItsProviderOnly(t *testing.T) {
	whole := interleaved()
	for provider, want := range map[string]int{"a": 7, "b": 7, "c": 6} {
		data, err := json.Marshal(whole.For(provider))
		if err != nil {
			t.Fatal(err)
		}
		if got := whole.For(provider); len(got) != want || got.Text() != whole.Text() || len(got.Calls()) != 2 {
			t.Errorf("%s gets %+v", provider, got)
		}
		for _, other := range []string{"a", "b"} {
			if strings.Contains(string(data), `"of":"`+other+`"`) != (provider == other) {
				t.Errorf("%s gets %s", provider, data)
			}
		}
	}
	if same := whole[:6].For("a"); &same[0] != &whole[0] {
		t.Error("what is all one's own was copied")
	}
}

func TestPartsAreChangedInACopy(t *testing.T) {
	whole := interleaved()
	other := whole.WithText("Else.").EachCall(func(n int, c nebula.Call) nebula.Call {
		c.ID += "x"
		return c
	}).Without(nebula.OpaquePart)
	if !reflect.DeepEqual(whole, interleaved()) {
		t.Errorf("it was changed: %+v", whole)
	}
	if other.Text() != "Else." || other[1].Text != "Else." || other.Calls()[1].ID != "2x" || other[2].Opaque == nil || other.Has(nebula.OpaquePart) || len(other) != 6 {
		t.Errorf("%+v", other)
	}
	for _, p := range []nebula.Parts{nil, nebula.PartsOf("r", ""), nebula.PartsOf("r", "", nebula.Call{ID: "1"}), nebula.Text("t")} {
		if got := p.WithText("x"); got.Text() != "x" || got.Reasoning() != p.Reasoning() || len(got) > 1 && got[len(got)-1].Kind == nebula.ReasoningPart {
			t.Errorf("%+v", got)
		}
		if got := p.WithText("x").WithText(""); got.Has(nebula.TextPart) {
			t.Errorf("%+v", got)
		}
	}
}

func TestBodiesSayTheirForm(t *testing.T) {
	for _, b := range []nebula.Body{nebula.Closed{}, nebula.Replied{Turn: 1, Reply: nebula.Reply{Parts: interleaved(), Finish: "stop"}},
		nebula.Observed{Messages: []nebula.Message{{Role: nebula.ToolRole, CallID: "1", Parts: interleaved()}}}} {
		data, err := nebula.EncodeBody(b)
		if err != nil || !strings.HasPrefix(string(data), `{"v":2`) || !json.Valid(data) {
			t.Fatalf("%s %v", data, err)
		}
		if got, err := nebula.DecodeBody(b.Name(), data); err != nil || !reflect.DeepEqual(got, b) {
			t.Errorf("%+v came back as %+v, %v", b, got, err)
		}
		line, err := json.Marshal(nebula.Event{Seq: 3, Body: b})
		if err != nil || !strings.Contains(string(line), `"type":"`+b.Name()+`","v":2`) {
			t.Errorf("%s %v", line, err)
		}
	}
	if _, err := nebula.DecodeBody("closed", []byte(`{"v":3}`)); err == nil {
		t.Error("a form that is not known yet was read")
	}
}

// What was written before bodies said their form is read as what it meant.
func TestTheFirstFormIsRead(t *testing.T) {
	for name, tt := range map[string]struct {
		data string
		want nebula.Body
	}{
		"replied": {`{"turn":2,"step":1,"protocol":"toolcall","reply":{"text":"t","reasoning":"r","calls":[{"id":"1","name":"n","arguments":"{}"}],"finish":"stop","usage":{"input_tokens":1,"cached_tokens":0,"output_tokens":2,"cost_usd":0},"model":"m"},"intent":{"say":"t"}}`,
			nebula.Replied{Turn: 2, Step: 1, Protocol: "toolcall", Intent: nebula.Intent{Say: "t"}, Reply: nebula.Reply{
				Parts: nebula.PartsOf("r", "t", nebula.Call{ID: "1", Name: "n", Arguments: "{}"}), Finish: "stop", Usage: nebula.Usage{Input: 1, Output: 2}, Model: "m"}}},
		"observed": {`{"messages":[{"role":"user","text":"look","images":[{"type":"image/png","data":"AQI="}]},{"role":"tool","text":"ok","call_id":"1"}]}`,
			nebula.Observed{Messages: []nebula.Message{
				{Role: nebula.User, Parts: append(nebula.Text("look"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte{1, 2}})...)},
				{Role: nebula.ToolRole, CallID: "1", Parts: nebula.Text("ok")}}}},
		"submitted": {`{"turn":1,"text":"x"}`, nebula.Submitted{Turn: 1, Text: "x"}},
	} {
		if got, err := nebula.DecodeBody(name, []byte(tt.data)); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestCostCountsCacheReadsAndWrites(t *testing.T) {
	m := nebula.ModelInfo{InputUSD: 3, CachedUSD: 0.3, WriteUSD: 3.75, OutputUSD: 15}
	u := nebula.Usage{Input: 1_000_000, Cached: 500_000, Written: 400_000, Output: 100_000, Reasoning: 50_000}
	if got := m.Cost(u); got < 3.449 || got > 3.451 { // 0.1×3 + 0.5×0.3 + 0.4×3.75 + 0.1×15
		t.Errorf("%v", got)
	}
	if sum := u.Plus(u); sum.Written != 800_000 || sum.Reasoning != 100_000 {
		t.Errorf("%+v", sum)
	}
}
