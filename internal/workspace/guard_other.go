//go:build !linux

package workspace

// guards are processes between nebula and its commands that end these when nebula is killed. They need what only Linux
// has; elsewhere [Ending] says what the system gives.
type guards struct{}

// Guarded has every command of the folder run below a guard, where the system has what that takes.
func (d *Dir) Guarded() {}

// Prepare sees to it that the next command finds a guard ready.
func (d *Dir) Prepare() {}

// Guardian reports whether the arguments make this process a guard.
func Guardian([]string) bool { return false }

func (s *guards) close() {}

func (s *guards) prepareBoxes() {}
