package gate

import (
	"flag"
	"testing"

	"nebula/internal/nebulatest"
)

var _ = flag.Bool("update", false, "write what is carried anew")

// What the program carries is what stands in the files.
func TestPackedTablesAreThoseThatStandHere(t *testing.T) {
	nebulatest.Packed(t, unpacked, "tables.flate", "tables/*.txt")
}
