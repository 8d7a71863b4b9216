package index

import (
	"runtime"
	"syscall"
)

// polite lets everything else go first: what is left of this goroutine runs on a thread of lower priority, which ends
// with it.
func polite() {
	runtime.LockOSThread()
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), 10)
}
