package sqlite

import (
	"path/filepath"
	"testing"
	"time"

	"nebula"
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
	l := root("s")
	if _, err := c.exec(`INSERT INTO sessions (id, project_path, model_used, began, last, chain) VALUES ('s', '/a', 'm', 1, 1, ?)`, l[:]); err != nil {
		t.Fatal(err)
	}
	for seq, data := range []string{`{"result":{"status":"done","changes":[{"path":"a"},{"path":"b"}]}}`, `{"result":{"status":"failed"}}`} {
		r := record{seq: int64(seq) + 1, at: 1, kind: "finished", data: data}
		if err := c.insert("s", r, l.next(r)); err != nil {
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
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "t", Dir: "/a", Started: time.Now()}); err != nil {
		t.Error(err)
	}
}
