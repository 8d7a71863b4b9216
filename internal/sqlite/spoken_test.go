package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"nebula"
	"nebula/internal/sqlite"
)

func TestRepliesAreCountedByModelServerProtocolAndDialect(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "nebula.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "s", Dir: "/a", Model: "m", Started: time.Now()}); err != nil {
		t.Fatal(err)
	}
	action := []nebula.Action{{ID: "a1", Tool: "look", Args: []byte("{}")}}
	replied := func(dialect string, strategy nebula.Strategy, actions []nebula.Action, problems ...nebula.Problem) nebula.Replied {
		return nebula.Replied{Protocol: "symops", Server: "http://here/v1", Reply: nebula.Reply{Usage: nebula.Usage{Output: 10}},
			Intent: nebula.Intent{Dialect: dialect, Strategy: strategy, Actions: actions, Problems: problems}}
	}
	broken := replied("", nebula.Repaired, []nebula.Action{{ID: "a1", Tool: "look", Args: []byte("{}"), Problem: "cut"}})
	mine := replied("", nebula.Strict, action)
	mine.By = "person"
	for i, b := range []nebula.Body{
		replied("", nebula.Strict, action), replied("", nebula.Repaired, nil), replied("", nebula.Strict, nil, nebula.Problem{Line: 1, Text: "no"}),
		replied("dml", nebula.Repaired, action), replied("", nebula.Corrected, action), broken, mine,
		nebula.Switched{Model: "n"}, replied("", nebula.Extracted, action),
	} {
		if err := s.Append(t.Context(), "s", nebula.Event{Seq: int64(i + 1), At: time.Now(), Body: b}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Spoken(t.Context(), "m", "http://here/v1")
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	own := sqlite.Spoken{Model: "m", Server: "http://here/v1", Protocol: "symops", Replies: 5, Strict: 1, Repaired: 1, Corrected: 1, Failed: 2, Actions: 2, Tokens: 20}
	other := sqlite.Spoken{Model: "m", Server: "http://here/v1", Protocol: "symops", Dialect: "dml", Replies: 1, Repaired: 1, Actions: 1, Tokens: 10}
	if list[0] != own || list[1] != other {
		t.Errorf("%+v", list)
	}
	if all, err := s.Spoken(t.Context(), "", ""); err != nil || len(all) != 3 || all[2].Model != "n" || all[2].Extracted != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if none, err := s.Spoken(t.Context(), "m", "http://there/v1"); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}
