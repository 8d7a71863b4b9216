package state

import (
	_ "embed" // the tables, packed
	"strings"
	"sync"

	"nebula/internal/packed"
)

//go:embed tables.flate
var packedTables []byte

var files = packed.Files(packedTables)

// tables are the rows of the files below tables, by their tables' names.
var tables = sync.OnceValue(func() map[string][][]string { return packed.Tables(files()) })

// reworded are the rows of the tables in rewordings.txt.
var reworded = sync.OnceValue(func() map[string][]rewording {
	all, parts := map[string][]rewording{}, strings.NewReplacer("{Path}", wordedPath, "{Still}", wordedStill, "{Dirs}", wordedDirs)
	for table, rows := range tables() {
		if table == "sayings" || table == "fileSayings" {
			continue
		}
		for _, row := range rows {
			has, as := strings.ReplaceAll(row[0], "⏎", "\n"), strings.ReplaceAll(row[2], "⏎", "\n")
			all[table] = append(all[table], rewording{has, parts.Replace(row[1]), as})
		}
	}
	return all
})

func rewordings(table string) []rewording { return reworded()[table] }
