//go:build !linux && !darwin && !windows

package terminal

import "os"

// Flush would drop what was typed and not read yet; it cannot here.
func Flush(*os.File) (dropped bool) { return false }
