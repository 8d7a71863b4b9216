package sqlite

import (
	"path/filepath"
	"testing"
	"time"

	"nebula"
	"nebula/internal/record"
)

// TestEarlierSchemaIsCarriedOver opens a database of the first schema with this one.
func TestEarlierSchemaIsCarriedOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	if err := begin(path); err != nil {
		t.Fatal(err)
	}
	c, err := dial(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.migrate(steps[:1]); err != nil {
		t.Fatal(err)
	}
	l := record.Root("s")
	if _, err := c.exec(`INSERT INTO sessions (id, project_path, model_used, began, last, chain) VALUES ('s', '/a', 'm', 1, 1, ?)`, l[:]); err != nil {
		t.Fatal(err)
	}
	for seq, data := range []string{`{"result":{"status":"done","changes":[{"path":"a"},{"path":"b"}]}}`, `{"result":{"status":"failed"}}`} {
		r := nebula.Record{Seq: int64(seq) + 1, At: 1, Type: "finished", Data: data}
		if err := c.insert("s", r); err != nil {
			t.Fatal(err)
		}
	}
	for seq, data := range []string{
		`{"protocol":"dml","reply":{"usage":{"output_tokens":7}},"intent":{"strategy":"repaired","actions":[{}]}}`,
		`{"protocol":"dml","reply":{},"intent":{"strategy":"strict","problems":[{}]}}`,
	} {
		r := nebula.Record{Seq: int64(seq) + 3, At: 1, Type: "replied", Data: data}
		if err := c.insert("s", r); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m, err := s.Memory(t.Context(), "/a", "")
	if err != nil || m.Sessions != 1 || m.Files != 2 || m.Done != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	want := nebula.Spoken{Model: "m", Protocol: "dml", Replies: 2, Repaired: 1, Failed: 1, Actions: 1, Tokens: 7}
	if list, err := s.Spoken(t.Context(), "", ""); err != nil || len(list) != 1 || list[0] != want {
		t.Errorf("%+v, %v", list, err)
	}
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "t", Dir: "/a", Started: time.Now()}); err != nil {
		t.Error(err)
	}
}
