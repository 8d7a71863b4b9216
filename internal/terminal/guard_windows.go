package terminal

import (
	"os"

	"github.com/charmbracelet/x/term"
)

// A guard has nothing to do here: a console takes its modes back by itself.
type guard struct{}

func newGuard(_, _ *os.File, _ *term.State, _ string) *guard { return nil }

func (*guard) leave() {}
