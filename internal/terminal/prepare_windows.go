package terminal

import (
	"image"
	"os"

	"golang.org/x/sys/windows"
)

// prepare makes the console obey escape sequences.
func prepare(out *os.File) (undo func(), err error) {
	h := windows.Handle(out.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(h, &mode); err != nil {
		return nil, err
	}
	if err := windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING); err != nil {
		return nil, err
	}
	return func() { _ = windows.SetConsoleMode(h, mode) }, nil
}

// resized is nothing: a console does not tell.
func resized() (notes <-chan os.Signal, stop func()) { return nil, func() {} }

// pixels is nothing: a console does not tell.
func pixels(*os.File) image.Point { return image.Point{} }
