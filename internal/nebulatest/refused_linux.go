package nebulatest

import (
	"runtime"
	"syscall"
	"testing"
	"unsafe"
)

// From linux/prctl.h and linux/seccomp.h.
const (
	noNewPrivileges = 38
	setFilter       = 22
	filterMode      = 2
	refuse          = 0x00050000
	allow           = 0x7fff0000
)

// Refused runs something while the system refuses a call: where one of its arguments, as a 32-bit number, is flags.
func Refused(t testing.TB, number uintptr, argument int, flags uint32, with syscall.Errno, do func()) {
	t.Helper()
	done := make(chan syscall.Errno)
	go func() {
		runtime.LockOSThread() // the thread ends with this function
		filter := []syscall.SockFilter{
			{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS, K: 0},
			{Code: syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K, K: uint32(number), Jf: 3},
			{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS, K: uint32(16 + 8*argument)},
			{Code: syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K, K: flags, Jf: 1},
			{Code: syscall.BPF_RET | syscall.BPF_K, K: refuse | uint32(with)},
			{Code: syscall.BPF_RET | syscall.BPF_K, K: allow},
		}
		program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		_, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0)
		if err == 0 {
			_, _, err = syscall.RawSyscall(syscall.SYS_PRCTL, setFilter, filterMode, uintptr(unsafe.Pointer(&program)))
		}
		if err == 0 {
			do()
		}
		done <- err
	}()
	if err := <-done; err != 0 {
		t.Skip("calls cannot be refused here: ", err)
	}
}
