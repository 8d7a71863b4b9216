package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/sqlite"
)

// BenchmarkSessionsSearch looks for two words in 100 MB of sessions.
func BenchmarkSessionsSearch(b *testing.B) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "nebula.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	text := strings.Repeat("A line of an answer with some words in it, 日本語も少し。\n", 100)
	size := int64(0)
	var list []nebula.SessionInfo
	for i := range 100 {
		info := nebula.SessionInfo{ID: fmt.Sprintf("20250101-000000-%06d", i), Dir: "/x", Model: "m", Started: at}
		events := []nebula.Event{{Seq: 1, At: at, Body: nebula.Started{Session: info.ID, Dir: "/x", Model: "m"}}}
		for turn := range 50 {
			for _, body := range []nebula.Body{nebula.Submitted{Turn: turn, Text: "tell me more"}, nebula.Replied{Turn: turn, Intent: nebula.Intent{Say: text}},
				nebula.Observed{Messages: []nebula.Message{{Role: nebula.Assistant, Parts: nebula.Text(text)}}}, nebula.Ended{Outcome: nebula.Outcome{Text: text}}} {
				events = append(events, nebula.Event{Seq: int64(len(events)) + 1, At: at, Body: body})
			}
			size += int64(3 * len(text))
		}
		if err := store.Create(ctx, info); err != nil {
			b.Fatal(err)
		}
		if err := store.Append(ctx, info.ID, events...); err != nil {
			b.Fatal(err)
		}
		list = append(list, info)
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, info := range list {
			if _, err := look(ctx, store, info, []phrase.Needle{phrase.NewNeedle("日本語"), phrase.NewNeedle("absent")}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
