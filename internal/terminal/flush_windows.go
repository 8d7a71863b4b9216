package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// Flush drops what was typed and not read yet. What there is besides keys is counted with them here, so that it cannot
// tell whether that was anything.
func Flush(in *os.File) (dropped bool) {
	_ = windows.FlushConsoleInputBuffer(windows.Handle(in.Fd()))
	return false
}
