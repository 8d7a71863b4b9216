//go:build unix

package cli

import "syscall"

// fewestFiles is how many more files a process must be able to open: with less not even Go's own runtime begins to work,
// and it ends the program with a report that helps nobody.
const fewestFiles = 24

// enoughFiles reports whether there are that many. It opens nothing that Go's runtime would have to be ready for.
func enoughFiles() bool {
	var opened [fewestFiles]int
	n := 0
	for ; n < fewestFiles; n++ {
		fd, err := syscall.Dup(0)
		if err == syscall.EBADF { // standard input is closed
			fd, err = syscall.Open("/", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		}
		if err != nil {
			break
		}
		opened[n] = fd
	}
	for _, fd := range opened[:n] {
		_ = syscall.Close(fd)
	}
	return n == fewestFiles
}
