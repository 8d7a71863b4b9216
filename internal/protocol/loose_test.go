package protocol_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/protocol"
)

func TestLooseJSONIsReadAsMeant(t *testing.T) {
	for _, c := range []struct{ text, want, repairs string }{
		{`{"a":1}`, `{"a":1}`, ""},
		{` [1, 2.5e3, "x"] `, `[1, 2.5e3, "x"]`, ""},
		{`{"a":1,}`, `{"a":1}`, "json_trailing_comma"},
		{`[1,2,]`, `[1,2]`, "json_trailing_comma"},
		{"{\"a\":1 // one\n}", `{"a":1}`, "json_comment"},
		{"{# py\n\"a\":1 /* c */}", `{"a":1}`, "json_comment json_comment"},
		{`{'a':'it\'s "x"'}`, `{"a":"it's \"x\""}`, "json_single_quotes json_quote_escape"},
		{`{a: True, b: None, c: False}`, `{"a":true,"b":null,"c":false}`, "json_bare_key json_python_constant"},
		{"{\"a\":\"x\n\ty\"}", `{"a":"x\n\ty"}`, "json_raw_control"},
		{"{\"a\":1\n\"b\":2}", `{"a":1,"b":2}`, "json_missing_comma"},
		{`[{"a":1} {"b":2}]`, `[{"a":1},{"b":2}]`, "json_missing_comma"},
		{`{"a":[1,{"b":2`, `{"a":[1,{"b":2}]}`, "json_missing_closer"},
		{`{“a”: “x”}`, `{"a":"x"}`, "json_smart_quotes"},
		{"{\"a\":\"\"\"one\n\"two\"\"\"\"}", "", ""},
		{"{\"a\":\"\"\"one\ntwo\"\"\"}", `{"a":"one\ntwo"}`, "json_triple_quotes"},
		{`{"a":"","b":""}`, `{"a":"","b":""}`, ""},
		{`{"a":"\ud83e\udd86"}`, `{"a":"\ud83e\udd86"}`, ""},
		{`"text"`, `"text"`, ""},
	} {
		got, repairs, err := loose(c.text)
		var names []string
		for _, r := range repairs {
			names = append(names, r.Name)
		}
		seen := strings.Join(uniq(names), " ")
		if c.want == "" {
			if err == nil {
				t.Errorf("%s → %s, want an error", c.text, got)
			}
			continue
		}
		if err != nil || got != c.want || seen != strings.Join(uniq(strings.Fields(c.repairs)), " ") {
			t.Errorf("%s → %s %v %v\nwant %s %s", c.text, got, seen, err, c.want, c.repairs)
		}
	}
}

// loose reads a text that is one value, and nothing of which is in doubt.
func loose(text string) (string, []nebula.Repair, error) {
	r, err := protocol.Read(text)
	if err == nil && (strings.TrimSpace(text[r.End:]) != "" || len(r.Doubts) > 0) {
		err = fmt.Errorf("behind it %q, doubts %v", text[r.End:], r.Doubts)
	}
	return string(r.JSON), r.Repairs, err
}

func uniq(names []string) []string {
	var out []string
	for _, n := range names {
		if !strings.Contains(" "+strings.Join(out, " ")+" ", " "+n+" ") {
			out = append(out, n)
		}
	}
	return out
}

func TestUncertainTextIsRefused(t *testing.T) {
	for _, text := range []string{
		`{"a":"say "hi" now"}`, `{"a":"\d"}`, `{"a":"\u12"}`, `{"a":"\ud800"}`, `{"a":"open`, `{"a" "b"}`, `{a b}`, `[1 2]`, `{"a":01}`, `{]`, ``,
		`{"a":1} tail`, "{\"a\":\"\"\"back\\slash\"\"\"}", "{\"a\":\"\xff\"}", strings.Repeat("[", 1_000_000), strings.Repeat(`{"a":`, 1_000_000),
	} {
		if got, _, err := loose(text); err == nil {
			t.Errorf("%.60s → %.60s", text, got)
		}
	}
}

func TestDoubtNamesItsField(t *testing.T) {
	r, err := protocol.Read(`{"args":{"content":"say "hi""},"reason":"ok"}`)
	if err != nil || len(r.Doubts) != 1 || strings.Join(r.Doubts[0].Keys, "/") != "args/content" {
		t.Fatalf("%+v %v", r, err)
	}
}

func TestLooseIsLinear(t *testing.T) {
	for _, text := range []string{
		`{"a":"` + strings.Repeat(`"x `, 300_000) + `"}`,
		`["` + strings.Repeat("\n", 800_000) + `"]`,
		`[` + strings.Repeat(`"a" `, 200_000),
		`[` + strings.Repeat("'''", 200_000),
		`[` + strings.Repeat("“", 200_000),
		`[` + strings.Repeat("/*", 200_000),
		strings.Repeat(`"" `, 200_000),
		`[` + strings.Repeat("1,\n#x\n", 100_000),
		`[` + strings.Repeat(`"""a""" `, 100_000),
	} {
		start := time.Now()
		_, _ = protocol.Read(text)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%.20s…: %v", text, took)
		}
	}
}

func FuzzLoose(f *testing.F) {
	for _, s := range []string{`{"a":1,}`, `{'a':"b" // c`, `[“x”,"""y"""]`, `{"a":"say "hi""}`, "{\"a\":\"\n\"}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := protocol.Read(text)
		if r.End < 0 || r.End > len(text) {
			t.Fatalf("end %d of %d", r.End, len(text))
		}
		if err == nil && !json.Valid(r.JSON) {
			t.Fatalf("%q → %q", text, r.JSON)
		}
		if json.Valid([]byte(text)) && err == nil && strings.TrimSpace(text) != strings.TrimSpace(string(r.JSON)) && len(r.Doubts) == 0 {
			t.Fatalf("valid %q became %q (%v)", text, r.JSON, r.Repairs)
		}
	})
}
