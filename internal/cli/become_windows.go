package cli

import (
	"errors"
	"os"
	"os/exec"
)

// become has another program do what this one was called for, and ends as it ends.
func become(path string, args, env []string) error {
	c := exec.Command(path, args...)
	c.Env, c.Stdin, c.Stdout, c.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	var ended *exec.ExitError
	if err == nil || errors.As(err, &ended) {
		os.Exit(c.ProcessState.ExitCode())
	}
	return err
}
