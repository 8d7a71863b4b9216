//go:build unix

package workspace

import "golang.org/x/sys/unix"

func pipe(path string) bool { return unix.Mkfifo(path, 0o644) == nil }
