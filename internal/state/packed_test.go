package state

import (
	"flag"
	"testing"

	"nebula/internal/lazy"
	"nebula/internal/nebulatest"
)

var _ = flag.Bool("update", false, "write what is carried anew")

// What the program carries is what stands in the files, and every row can be read.
func TestPackedTablesAreThoseThatStandHere(t *testing.T) {
	nebulatest.Packed(t, files, "tables.flate", "tables/*.txt")
	for table, rows := range reworded() {
		for _, row := range rows {
			if row.expression() == nil || row.has == "" {
				t.Errorf("%s: %q", table, row)
			}
		}
	}
	for _, row := range sayings() {
		for _, p := range []*lazy.Pattern{row.does, row.is, row.ja, row.more, row.by} {
			p.Re()
		}
	}
	for _, row := range fileSayings() {
		row.form.Re()
	}
}
