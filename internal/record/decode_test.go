package record_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/record"
)

func stored(t testing.TB, body nebula.Body) string {
	t.Helper()
	r, err := record.Encode([]nebula.Event{{Seq: 1, Body: body}})
	if err != nil {
		t.Fatal(err)
	}
	return r[0].Data
}

// TestWhatIsStoredIsDecodedWithoutHelp fails when a new field or type of an event has no quick way.
func TestWhatIsStoredIsDecodedWithoutHelp(t *testing.T) {
	plain := map[string]bool{}
	for _, b := range record.Often() {
		plain[b.Name()] = true
	}
	for _, e := range nebulatest.EveryEvent() {
		text := stored(t, e.Body)
		got, ok := record.Quick(e.Body.Name(), text)
		if ok != plain[e.Body.Name()] {
			t.Errorf("%s is decoded without help: %v\n%s", e.Body.Name(), ok, text)
		}
		if ok && !reflect.DeepEqual(got, e.Body) {
			t.Errorf("%s came back as\n%#v", e.Body.Name(), got)
		}
		first := strings.Replace(text, record.InForm("{"), "{", 1) // as it was before bodies said their form
		got, ok = record.Quick(e.Body.Name(), first)
		if ok != (plain[e.Body.Name()] && !nebula.Reformed(e.Body.Name())) {
			t.Errorf("%s of the first form is decoded without help: %v\n%s", e.Body.Name(), ok, first)
		}
		if ok && !reflect.DeepEqual(got, e.Body) {
			t.Errorf("%s of the first form came back as\n%#v", e.Body.Name(), got)
		}
	}
}

// oddities are texts on which a quick decoder goes wrong.
var oddities = []string{
	``, `null`, `{}`, `[]`, `"x"`, ` {}`, `{} `, `{"turn":1}`, `{"turn":1,"text":"a"}`, `{"text":"a","turn":1}`, `{"turn":1,"turn":2}`,
	`{"Turn":1}`, `{"turn":1.5}`, `{"turn":1e2}`, `{"turn":-0}`, `{"turn":01}`, `{"turn":9223372036854775808}`, `{"turn":null,"text":null}`,
	`{"turn":1,"text":"\ud83d\ude00"}`, `{"turn":1,"text":"\ud83d"}`, `{"turn":1,"text":"\u00e9\n\/\\\"\b\f\r\t"}`, `{"turn":1,"text":"\u12"}`,
	"{\"turn\":1,\"text\":\"\xff\"}", "{\"turn\":1,\"text\":\"a\x01\"}", `{"turn":1,"text":"日本語"}`, `{"turn":1,"text":"a\`, `{"turn":1,"text":"\x"}`,
	`{"turn":1,"text":"a","images":[]}`, `{"turn":1,"text":"a","images":[{"type":"t","data":"AAE="}]}`, `{"turn":1,"text":"a","images":[{"type":"t","data":"!"}]}`,
	`{"turn":1,"text":"a","images":null,"steer":true}`, `{"turn":1,"text":"a","more":1}`, `{"turn":1,}`, `{"turn":1`, `{"turn":tru}`,
	`{"reply":{"usage":{"input_tokens":1,"cost_usd":1e-5}},"intent":{"vitals":{"mood":null,"focus":0.5},"decision":null}}`,
	`{"turn":1,"step":1,"protocol":"p","reply":{"usage":{"input_tokens":1,"cached_tokens":0,"output_tokens":0,"cost_usd":1e400}},"intent":{}}`,
	`{"proposal":{"action":{"id":"a","tool":"t","args":{"a":[1,2,{"b":null}]},"src":{"start":1,"end":2,"line":3}},"effect":"read","summary":""},"verdict":{"ruling":""}}`,
	`{"proposal":{"action":{"id":"a","tool":"t","args":null}}}`, `{"proposal":{"action":{"id":"a","tool":"t","args":{"a":1,"a":2}}}}`,
	`{"proposal":{"action":{"id":"a","tool":"t","args":{"a":01}}}}`, `{"proposal":{"action":{"id":"a","tool":"t","args":[1 ,2]}}}`,
	`{"result":{"action":"a","tool":"t","status":"done","text":"","exit":null}}`, `{"result":{"action":"a","tool":"t","status":"done","text":"","exit":3,"took_ms":4}}`,
	`{"result":{"action":"a","tool":"t","status":"done","text":"","changes":[{"path":"p","kind":"edit","mode_before":420}]}}`,
	`{"messages":[{"role":"tool"},{"role":"user","text":"x"}]}`, `{"messages":[null]}`, `{"messages":[{}]}`, `{"messages":{}}`,
	`{"session":"s","turn":1,"status":"done","text":"","mode":"","model":"","protocol":"","steps":1,"actions":null,"changed_files":[],"plan":{"a":[1]},"usage":{}}`,
}

func FuzzDecoderIsDecodeBody(f *testing.F) {
	names := []string{}
	for _, b := range record.Often() {
		names = append(names, b.Name())
	}
	for i := range names {
		for _, text := range oddities {
			f.Add(i, text)
			f.Add(i, record.InForm(text))
		}
	}
	for _, e := range nebulatest.EveryEvent() {
		for i, name := range names {
			if name == e.Body.Name() {
				f.Add(i, stored(f, e.Body))
			}
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		name := names[uint(i)%uint(len(names))]
		got, ok := record.Quick(name, text)
		if !ok {
			return
		}
		want, err := nebula.DecodeBody(name, []byte(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s %q gives\n%#v\nnot\n%#v (%v)", name, text, got, want, err)
		}
	})
}

func TestADecodedBodyIsItsOwn(t *testing.T) {
	d := record.NewDecoder()
	text := stored(t, nebula.Observed{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("first")}}})
	first, err := d.Body("observed", text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Body("observed", strings.Replace(text, "first", "other", 1)); err != nil {
		t.Fatal(err)
	}
	if got := first.(nebula.Observed).Messages[0].Text(); got != "first" {
		t.Errorf("the first body became %q", got)
	}
}

func TestAListedLineIsReadWhateverItHolds(t *testing.T) {
	d := record.NewDecoder()
	for _, title := range []string{"plain", "日本 \"x\" \\ \u2028", "\U0001F600", "\x00\x1f"} {
		b, _ := json.Marshal([]any{"id", "m", 1, 2, 3, 4, title})
		for _, text := range []string{string(b), string(bytes.ReplaceAll(b, []byte(","), []byte(", ")))} {
			info, err := d.Line(text, "/d")
			if err != nil || info.Title != title && !strings.Contains(title, ",") || info.Messages != 4 || info.Dir != "/d" {
				t.Errorf("%q is read as %+v (%v)", text, info, err)
			}
		}
	}
	if _, err := d.Line(`["id"`, ""); err == nil {
		t.Error("half a line was read")
	}
}
