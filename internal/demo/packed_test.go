package demo

import (
	"flag"
	"testing"

	"nebula/internal/nebulatest"
)

var _ = flag.Bool("update", false, "write what is carried anew")

// What the program carries is what stands in the files.
func TestPackedFilesAreThoseThatStandHere(t *testing.T) {
	nebulatest.Packed(t, files, "demo.flate", "sample/*", "talk/*")
}
