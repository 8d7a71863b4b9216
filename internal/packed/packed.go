// Package packed reads files that the program carries at a third of their size: those that are seldom wanted.
package packed

import (
	"bytes"
	"compress/flate"
	"io"
	"strings"
	"sync"
)

// Files are packed ones by their base names, unpacked when they are first wanted: each its name, a new line and its text, behind a zero byte.
func Files(data []byte) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
		if err != nil {
			panic("packed files: " + err.Error()) // a test of the package that carries them reads them
		}
		all := map[string]string{}
		for _, file := range strings.Split(string(text), "\x00")[1:] {
			name, content, _ := strings.Cut(file, "\n")
			all[name] = content
		}
		return all
	})
}

// Tables are the rows of files, by the names of their tables: below a line "= name" a row a line, its fields parted by tabs. Empty lines, and
// those that begin with #, are remarks.
func Tables(files map[string]string) map[string][][]string {
	all := map[string][][]string{}
	for _, text := range files {
		table := ""
		for line := range strings.SplitSeq(text, "\n") {
			switch name, head := strings.CutPrefix(line, "= "); {
			case head:
				table = name
			case line != "" && line[0] != '#':
				all[table] = append(all[table], strings.Split(line, "\t"))
			}
		}
	}
	return all
}
