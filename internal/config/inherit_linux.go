package config

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

const prSetDumpable = 4

// overwrite clears the variables that are not open where /proc/PID/environ shows them: in the memory where the kernel
// put them when the program began. Go works with copies. Then the process's memory is closed to other processes of the
// same person; to root's it cannot be.
func overwrite(open func(name, value string) bool) {
	for entry := range bytes.SplitSeq(initial(), []byte{0}) {
		if name, value, ok := bytes.Cut(entry, []byte("=")); ok && !open(string(name), string(value)) {
			clear(entry)
		}
	}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, prSetDumpable, 0, 0, 0, 0, 0)
}

// initial is the environment as the kernel put it there, see env_start and env_end in proc_pid_stat(5); nil where it
// cannot be found.
func initial() []byte {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil || len(os.Args) == 0 || os.Args[0] == "" {
		return nil
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 49 {
		return nil
	}
	number := func(i int) uintptr { n, _ := strconv.ParseUint(string(fields[i]), 10, 64); return uintptr(n) }
	first, start, end := number(45), number(47), number(48)
	arg := unsafe.Pointer(unsafe.StringData(os.Args[0])) // Go does not copy the arguments: it is among them
	if uintptr(arg) < first || uintptr(arg) >= start || end <= start {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(arg, start-uintptr(arg))), end-start)
}
