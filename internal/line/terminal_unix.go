//go:build !windows

package line

import "nebula/internal/terminal"

// suspend gives the terminal back to the shell until the person returns (fg).
func (t *talk) suspend() {
	if t.screen.draw(t.view.printed(), nil, 0, 0) != nil || t.terminal.Cooked() != nil {
		return
	}
	_ = terminal.Stop()
	_ = t.terminal.Raw()
	t.screen.rows, t.screen.x, t.screen.y = []string{""}, 0, 0
}
