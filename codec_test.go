package nebula_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"nebula"
)

// TestCommandsAreWhatWasSent on the other side of a pipe.
func TestCommandsAreWhatWasSent(t *testing.T) {
	all := []nebula.Command{
		nebula.Submit{Text: "a <b> & 日本", Images: []nebula.Image{{Type: "image/png", Data: []byte{1, 2}}}}, nebula.Answer{Ask: "q1", Answer: nebula.Yes, Text: "t", By: "nobody", Command: "ls"},
		nebula.Cancel{}, nebula.Switch{Mode: nebula.PlanMode, Model: "m", Protocol: "p", Approve: "ask"}, nebula.Undo{Redo: true},
		nebula.Perform{Text: "x", Actions: []nebula.Action{{ID: "a1", Tool: "look", Args: json.RawMessage(`{"path":"a"}`)}}, By: "me"}, nebula.Shell{Command: "ls"}, nebula.Compact{Focus: "gate.go"},
		nebula.Inform{Bodies: []nebula.Body{nebula.Noted{Level: "info", Text: "hi"}, nebula.Tasked{Plan: "p"}}},
		nebula.Direct{Do: nebula.SteerPlan, Plan: "p1", Step: "s1", Text: "so"}, nebula.Job{ID: 2, Stop: true}, nebula.Close{},
	}
	if len(all) != len(nebula.Commands()) {
		t.Errorf("%d of %d commands", len(all), len(nebula.Commands()))
	}
	for _, c := range all {
		data, err := nebula.EncodeCommand(c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := nebula.DecodeCommand(data)
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s is %#v, %v", data, got, err)
		}
	}
}

// An emptied command is no yes to the one that was shown.
func TestAnAnswerWithAnEmptyCommandIsRefused(t *testing.T) {
	for body, want := range map[string]bool{`{"ask":"q1","answer":"yes"}`: true, `{"ask":"q1","answer":"yes","command":"ls"}`: true, `{"ask":"q1","answer":"yes","command":null}`: true, `{"ask":"q1","answer":"yes","command":""}`: false, `{"ask":"q1","answer":"no","Command":""}`: false} {
		var a nebula.Answer
		if err := json.Unmarshal([]byte(body), &a); (err == nil) != want {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestUnknownCommandsAreRefused(t *testing.T) {
	for _, text := range []string{`{"v":1,"type":"format"}`, `{"type":"cancel"}`, `{"v":2,"type":"cancel"}`, `{"v":1}`, `[]`, `{"v":1,"type":"submit","text":4}`, ``} {
		if c, err := nebula.DecodeCommand([]byte(text)); err == nil {
			t.Errorf("%s was taken for %#v", text, c)
		}
	}
}

func TestEventsAreWhatWasSent(t *testing.T) {
	for name, body := range nebula.Bodies() {
		e := nebula.Event{Seq: 7, At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Body: body}
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var got nebula.Event
		err = json.Unmarshal(data, &got)
		again, _ := json.Marshal(got)
		if err != nil || string(again) != string(data) || reflect.TypeOf(got.Body) != reflect.TypeOf(body) {
			t.Errorf("%s: %s is %s, %v", name, data, again, err)
		}
	}
}
