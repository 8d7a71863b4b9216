package gate

import (
	_ "embed" // what codes say, packed
	"sync"

	"nebula/internal/packed"
)

//go:embed tables.flate
var carriedTables []byte

var unpacked = packed.Files(carriedTables)

// inEnglish says the codes of verdicts and dangers.
var inEnglish = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, row := range packed.Tables(unpacked())["inEnglish"] {
		all[row[0]] = row[1]
	}
	return all
})
