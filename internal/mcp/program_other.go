//go:build !linux

package mcp

import (
	"errors"
	"os"
	"syscall"
)

func boxed(Launch, *program, [3]*os.File) error { return errors.ErrUnsupported }

func apart() *syscall.SysProcAttr { return nil }

func tied() (loose func()) { return func() {} }

func killAll(p *os.Process) { _ = p.Kill() } // it has gone, or goes when its input ends
