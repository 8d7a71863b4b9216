package postgres_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/postgres"
	"nebula/internal/record"
)

func note(seq int64, text string) nebula.Event {
	return nebula.Event{Seq: seq, At: time.Unix(2000+seq, 0).UTC(), Body: nebula.Noted{Level: "info", Text: text}}
}

func begin(t testing.TB, s nebula.Store, id string, texts ...string) {
	t.Helper()
	err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/d", Model: "m"})
	for i, text := range texts {
		if err == nil {
			err = s.Append(t.Context(), id, note(int64(i)+1, text))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func ids(t *testing.T, s nebula.Store) string {
	t.Helper()
	list, err := s.AllSessions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, info := range list {
		all = append(all, info.ID)
	}
	return strings.Join(all, " ")
}

// TestATeamsRecordIsItsOwn: the logins of a team share one record, others see nothing of it, whatever they ask.
func TestATeamsRecordIsItsOwn(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	open(t, server.Database(t, "shared", "owner"))
	for _, login := range []string{"ann", "ben", "cid"} {
		server.Login(t, login)
	}
	server.SQL(t, "shared", `INSERT INTO nebula.members VALUES ('ann', 'blue'), ('ben', 'blue')`)
	ann, ben, cid := open(t, server.Address("shared", "ann")), open(t, server.Address("shared", "ben")), open(t, server.Address("shared", "cid"))
	begin(t, ann, "one", "from ann")
	if err := ben.Append(t.Context(), "one", note(2, "from ben")); err != nil {
		t.Fatal(err)
	}
	begin(t, cid, "one", "from cid") // an id is a team's own
	hash, err := ann.Keep(t.Context(), []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cid.Content(t.Context(), hash); !errors.Is(err, nebula.ErrNoContent) {
		t.Errorf("another team's content: %v", err)
	}
	if ann.Team() != "team blue" || cid.Team() != "person cid" || ids(t, ben) != "one" || ids(t, cid) != "one" {
		t.Errorf("%s has %s, %s has %s", ben.Team(), ids(t, ben), cid.Team(), ids(t, cid))
	}
	for _, s := range []*postgres.Store{ann, cid} {
		if err := (record.Auditor{Store: s}).Verify(t.Context(), "one"); err != nil {
			t.Error(err)
		}
	}
	as := func(login, sql string) string { return server.As(login, "shared", sql) }
	for _, c := range []struct{ login, sql, want string }{
		{"ann", `SELECT string_agg(seq || person, ' ' ORDER BY seq) FROM nebula.events`, "1ann 2ben"},
		{"cid", `SELECT string_agg(seq || person, ' ' ORDER BY seq) FROM nebula.events`, "1cid"},
		{"cid", `SELECT count(*) FROM nebula.contents`, "0"},
		{"cid", `DELETE FROM nebula.sessions WHERE team='team blue' RETURNING id`, ""},
		{"cid", `INSERT INTO nebula.members VALUES ('cid', 'blue')`, "permission denied"},
		{"cid", `INSERT INTO nebula.notes (team, project, at, text) VALUES ('team blue', '', 0, 'x')`, "row-level security"},
		{"ben", `UPDATE nebula.events SET data='{}'`, "permission denied"},
		{"ben", `INSERT INTO nebula.events (team, session, seq, at, type, data, chain, person) VALUES ('team blue', 'one', 3, 0, 'noted', '{}', '', 'ann')`, "row-level security"},
	} {
		if got := as(c.login, c.sql); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %s: %s", c.login, c.sql, got)
		}
	}
	if ids(t, ann) != "one" {
		t.Error("another team removed a session")
	}
}

// TestAFaultNamesTheNextStep and never a password.
func TestAFaultNamesTheNextStep(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	server.Login(t, "ann")
	good := server.Database(t, "empty", "ann")
	wrong := strings.Replace(good, "pw-5", "pw-6", 1)
	for _, c := range []struct{ address, want string }{
		{"postgres://ann:pw-secret@%zz/x", "record.url is no address of a PostgreSQL database; write it as"},
		{"postgres://ann:pw-secret@127.0.0.1:1/x", "record ann@127.0.0.1:1/x: the server cannot be reached (connection refused)"},
		{"postgres://ann:pw-secret@/x?host=/nowhere", "record ann@/nowhere/x: the server cannot be reached"},
		{wrong, "the server does not take this login or its password; check"},
		{strings.Replace(good, "/empty", "/other", 1), "there is no such database"},
		{good, "this login may not make them; have the owner of the database start nebula with it once"},
	} {
		_, err := postgres.Open(t.Context(), c.address, postgres.Options{})
		var fault record.Fault
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "pw-") || !errors.As(err, &fault) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
	open(t, server.Database(t, "empty", "owner"))
	open(t, good)
	server.SQL(t, "empty", `INSERT INTO nebula.goose_db_version (version_id, is_applied) VALUES (99, true)`)
	if _, err := postgres.Open(t.Context(), good, postgres.Options{}); err == nil || !strings.Contains(err.Error(), "written by a newer nebula (version 99") {
		t.Errorf("newer tables: %v", err)
	}
}

// TestOddTextsComeBack: names of folders are bytes.
func TestOddTextsComeBack(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	s := open(t, server.Database(t, "odd", "owner"))
	for i, dir := range []string{"/a\xff\xfeb", "/zero\x00byte", "\x01ff", "/日本 'quoted' \\ %_"} {
		id := "s" + dir
		if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: dir, Model: "m\xff"}); err != nil {
			t.Fatal(err)
		}
		list, err := s.Sessions(t.Context(), dir)
		if err != nil || len(list) != 1 || list[0].ID != id || list[0].Dir != dir || list[0].Model != "m\xff" {
			t.Errorf("%d: %+v, %v", i, list, err)
		}
		if err := s.Append(t.Context(), id, note(1, dir)); err != nil {
			t.Error(err)
		}
		if err := (record.Auditor{Store: s}).Verify(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

// TestDamageIsFound: what the owner of the database changes or takes out is told.
func TestDamageIsFound(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	s := open(t, server.Database(t, "damaged", "owner"))
	for _, c := range []struct{ id, sql string }{
		{"changed", `UPDATE nebula.events SET data=replace(data, 'b', 'x') WHERE session='changed' AND seq=2`},
		{"out", `DELETE FROM nebula.events WHERE session='out' AND seq=2`},
		{"cut", `DELETE FROM nebula.events WHERE session='cut' AND seq=3`},
	} {
		begin(t, s, c.id, "a", "b", "c")
		server.SQL(t, "damaged", c.sql)
		var broken *nebula.Broken
		if err := (record.Auditor{Store: s}).Verify(t.Context(), c.id); !errors.As(err, &broken) {
			t.Errorf("%s: %v", c.id, err)
		}
	}
	var broken *nebula.Broken
	for _, err := range s.Load(t.Context(), "out") {
		if err != nil && !errors.As(err, &broken) {
			t.Error(err)
		}
	}
	if broken == nil {
		t.Error("a session without an event was loaded as whole")
	}
}
