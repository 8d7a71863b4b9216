package main

import (
	"nebula"
	"nebula/internal/workspace"
)

func tools(work *workspace.Dir, secrets []string) []nebula.Tool { return nil }
