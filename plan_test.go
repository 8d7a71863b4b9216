package nebula_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"nebula"
)

func TestEventsOfPlansAreReadAsWritten(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	step := nebula.PlanStep{ID: "s1", Name: "n", Status: nebula.Completed, DependsOn: []string{"s0"}, Verify: nebula.Verify{Command: "make"},
		Tasks:    []nebula.Task{{ID: "t1", Operation: "o", Args: json.RawMessage(`{"a":1}`), Status: nebula.Pending}},
		Evidence: &nebula.Evidence{How: "command", Detail: "make", By: "program", At: at}, Began: at}
	for _, body := range []nebula.Body{
		nebula.Planned{Plan: nebula.Plan{ID: "p", Name: "n", Goal: "g", Status: nebula.Draft, Steps: []nebula.PlanStep{step}}, Change: "proposed", By: "model"},
		nebula.Stepped{Plan: "p", Step: step, Done: 1, Of: 2, Cause: "c"},
		nebula.Tasked{Plan: "p", Step: "s1", Title: "n", Number: 1, Of: 2, Elapsed: 3},
		nebula.Queued{Ask: "s1/q1", Plan: "p", Step: "s1", Title: "n", Session: "s", Question: &nebula.Question{Text: "?"}},
		nebula.Reported{Plan: "p", Step: "s1", Title: "n", Report: nebula.Report{Status: nebula.Completed, Succeeded: 2, Next: []string{"x"}}, Text: "t"},
	} {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		again, err := nebula.DecodeBody(body.Name(), data)
		if err != nil || !reflect.DeepEqual(again, body) {
			t.Errorf("%s: %v\n%+v\n%+v", body.Name(), err, again, body)
		}
	}
}

func TestVerificationIsReadAsPeopleWriteIt(t *testing.T) {
	for text, want := range map[string]nebula.Verify{
		`"tests"`: {Tests: true}, `"Run the tests."`: {Tests: true}, `"テスト"`: {Tests: true}, `"$ make check"`: {Command: "make check"},
		"\"`go vet`\"": {Command: "go vet"}, `"the page looks right"`: {Person: "the page looks right"}, `""`: {}, `{"command":"ls"}`: {Command: "ls"},
	} {
		var v nebula.Verify
		if err := json.Unmarshal([]byte(text), &v); err != nil || v != want {
			t.Errorf("%s is %+v, %v", text, v, err)
		}
		if again := nebula.ReadVerify(v.String()); again != v {
			t.Errorf("%+v is written %q", v, v.String())
		}
	}
}
