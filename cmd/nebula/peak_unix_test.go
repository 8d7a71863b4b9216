//go:build unix

package main_test

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory that a process that has ended had resident, in bytes.
func peak(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss // bytes there, kilobytes elsewhere
	}
	return usage.Maxrss * 1024
}
