//go:build !linux

package config

// overwrite does nothing where no file shows a process's environment to others.
func overwrite(func(name, value string) bool) {}
