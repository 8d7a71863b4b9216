// Package packed reads files that the program carries at a third of their size: those that are seldom wanted.
package packed

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"sync"
)

// Files are packed ones by their base names, unpacked when they are first wanted.
func Files(data []byte) func() map[string]string {
	return sync.OnceValue(func() (all map[string]string) {
		if err := json.NewDecoder(flate.NewReader(bytes.NewReader(data))).Decode(&all); err != nil {
			panic("packed files: " + err.Error()) // a test of the package that carries them reads them
		}
		return all
	})
}
