//go:build !windows

package tui

import (
	"errors"

	"nebula/internal/terminal"
)

// suspend gives the terminal back to the shell until the person returns (fg).
func (a *app) suspend() {
	if err := errors.Join(a.screen.leave(), a.terminal.Lend(terminal.Stop)); err != nil {
		a.failed(err)
	}
	a.screen.clear()
}
