//go:build !linux

package workspace

import "nebula"

func startOf(int) uint64 { return 0 }

func (d *Detached) end() error { return nil }

// part would let the job go on without this process: what looks after it elsewhere ends with nebula.
func (j *Job) part(*before, bool) error {
	return nebula.Errorf("a command can be detached on Linux only")
}
