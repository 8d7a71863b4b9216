//go:build !windows

package tui

import "syscall"

// suspend gives the terminal back to the shell until the person returns (fg).
func (a *app) suspend() {
	err := a.terminal.Lend(func() error { return syscall.Kill(0, syscall.SIGTSTP) })
	if err != nil {
		a.failed(err)
	}
	a.screen.clear()
}
