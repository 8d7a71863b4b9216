package protocol

import (
	_ "embed" // the tables, packed
	"strings"
	"sync"

	"nebula/internal/lists"
	"nebula/internal/packed"
)

//go:embed tables.flate
var packedTables []byte

var files = packed.Files(packedTables)

// tables are the rows of the files below tables, by their tables' names.
var tables = sync.OnceValue(func() map[string][][]string { return packed.Tables(files()) })

// A standing is what shapes say.
type standing struct {
	stand  stand
	shapes string // parted by commas; .. before one that may begin in the middle of a clause
}

// standings are the shapes of sentences by what they say, those of other languages behind the English ones.
func standings() (list []standing) {
	for _, row := range lists.Concat(tables()["standings"], tables()["abroad"]) {
		list = append(list, standing{standNamed(row[0]), row[1]})
	}
	return list
}

// wordSets are the words that the shapes call by a name.
var wordSets = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, row := range tables()["words"] {
		all[row[0]] = row[1]
	}
	return all
})

// A stating is what a sentence says by its parts, in a language that parts its words by nothing, or by how it begins or ends.
type stating struct {
	stand        stand
	parts, edges []string
}

func statingIn(table string) func() []stating {
	return sync.OnceValue(func() (list []stating) {
		for _, row := range tables()[table] {
			list = append(list, stating{standNamed(row[0]), fieldOf(row[1]), fieldOf(row[2])})
		}
		return list
	})
}

var (
	japaneseStatings = statingIn("japanese")
	chineseStatings  = statingIn("chinese")
	plainlyWhole     = sync.OnceValue(func() (list []string) { return firsts("plainlyJapanese") })
	plainlyParts     = sync.OnceValue(func() (list []string) { return firsts("plainlyParts") })
)

// firsts are the rows of a table of single words.
func firsts(table string) (list []string) {
	for _, row := range tables()[table] {
		list = append(list, row[0])
	}
	return list
}

func fieldOf(field string) []string {
	if field == "" {
		return nil
	}
	return strings.Split(field, "|")
}

func standNamed(name string) stand { return stand(nameIn(standNames, name)) }

func cueNamed(name string) cue { return cue(nameIn(cueNames, name)) }

// nameIn is which of some names one is; the tables have no other.
func nameIn(names, name string) int {
	for i, other := range strings.Fields(names) {
		if other == name {
			return i
		}
	}
	panic("tables: no " + name) // a test reads them
}

// The names that the tables have for stands and cues, in their order.
const (
	standNames = "against wondered back clears instant leading unreal unfit depends affirms plainly asked grounds"
	cueNames   = "nothing idle reason contrast announce past resolve source example refusal pending"
)
