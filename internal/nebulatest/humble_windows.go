package nebulatest

import "os/exec"

// humble changes nothing here.
func humble(*exec.Cmd) {}
