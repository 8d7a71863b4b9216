package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"nebula"
)

const canary = `sk-canary/"0+1=2<3>`

func forms() map[string]string {
	quoted, _ := json.Marshal(canary)
	return map[string]string{
		"exact": canary, "query": url.QueryEscape(canary), "path": url.PathEscape(canary), "json": string(quoted[1 : len(quoted)-1]),
		"base64": base64.StdEncoding.EncodeToString([]byte(canary)), "base64url": base64.URLEncoding.EncodeToString([]byte(canary)),
	}
}

func TestASecretIsFoundInEveryForm(t *testing.T) {
	r := New([]string{canary, "short"})
	for name, form := range forms() {
		if got := r.Text("a " + form + " b, short"); strings.Contains(got, strings.TrimRight(form, "=")) || !strings.HasSuffix(got, " b, short") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestASecretThatComesInPiecesIsFound(t *testing.T) {
	for name, form := range forms() {
		text := "sk-sk-c" + form + "sk-canary, " + form + "sk-"
		want := New([]string{canary}).Text(text)
		for size := 1; size < len(text); size++ {
			s := New([]string{canary}).Stream()
			var got strings.Builder
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				got.WriteString(s.Feed(rest[:n]))
				rest = rest[n:]
			}
			got.WriteString(s.End())
			if got.String() != want {
				t.Fatalf("%s in pieces of %d: %q, want %q", name, size, got.String(), want)
			}
		}
	}
}

func TestNoEventAndNoRequestHoldsASecret(t *testing.T) {
	r := New([]string{canary})
	args, _ := json.Marshal(map[string]string{"command": "curl -H " + canary})
	bodies := []nebula.Body{
		nebula.Submitted{Text: "my key is " + canary},
		nebula.Finished{Result: nebula.Result{Text: canary, Changes: []nebula.Change{{Path: "x" + canary}}}},
		nebula.Replied{Reply: nebula.Reply{Parts: nebula.PartsOf("", "", nebula.Call{Arguments: string(args)})}, Intent: nebula.Intent{Actions: []nebula.Action{{Args: args}}}},
		nebula.Observed{Messages: []nebula.Message{{Parts: nebula.Text(canary)}}},
	}
	for _, b := range bodies {
		clean := r.Body(b)
		data, err := json.Marshal(clean)
		if err != nil || strings.Contains(string(data), "canary") || !strings.Contains(string(data), Hidden) || fmt.Sprintf("%T", clean) != fmt.Sprintf("%T", b) {
			t.Errorf("%T: %s, %v", b, data, err)
		}
	}
	p := nebula.Prompt{System: canary, Messages: []nebula.Message{{Parts: nebula.PartsOf(canary, canary, nebula.Call{Arguments: string(args)})}}}
	if text := fmt.Sprintf("%+v", r.Prompt(p)); strings.Contains(text, "canary") {
		t.Error(text)
	}
	same := nebula.Submitted{Text: "nothing of it"}
	if got := r.Body(same); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", same) {
		t.Errorf("%+v", got)
	}
}

func BenchmarkBody(b *testing.B) {
	r := New([]string{canary, canary + "2"})
	body := nebula.Observed{Messages: []nebula.Message{{Parts: nebula.Text(strings.Repeat("some line of a file\n", 5000))}}}
	for b.Loop() {
		r.Body(body)
	}
}
