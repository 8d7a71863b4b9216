package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocuments runs what the design documents ask for and what is easily lost, a script for each requirement.
func TestDocuments(t *testing.T) {
	testscript.Run(t, scripts("documents"))
}
