package protocol

import (
	"flag"
	"testing"

	"nebula/internal/nebulatest"
)

var _ = flag.Bool("update", false, "write what is carried anew")

// What the program carries is what stands in the files, and every row can be read.
func TestPackedTablesAreThoseThatStandHere(t *testing.T) {
	nebulatest.Packed(t, files, "tables.flate", "tables/*.txt")
	standings()
	wordSets()
	japaneseStatings()
	chineseStatings()
	englishPhrases()
	behindPhrases()
	japaneseCues()
}
