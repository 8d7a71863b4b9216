//go:build !linux

package workspace

import (
	"os"

	"nebula"
)

func newTerminal() (near, far *os.File, err error) {
	return nil, nil, nebula.Errorf("commands can have no terminal on this system")
}
