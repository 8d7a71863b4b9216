//go:build !linux

package helper

import (
	"errors"
	"os"
	"syscall"
)

func boxed(Launch, *Program, [3]*os.File) error { return errors.ErrUnsupported }

func apart() *syscall.SysProcAttr { return nil }

func tied() (loose func()) { return func() {} }

func killAll(p *os.Process) { _ = p.Kill() } // it has gone, or goes when its input ends
