//go:build unix

package cli

import "syscall"

// become goes on as another program; it comes back only with the reason why not.
//
//go:noinline
func become(path string, args, env []string) error {
	return syscall.Exec(path, append([]string{path}, args...), env)
}
