package nebula

import (
	"slices"
	"strings"
)

// Cache reports whether the change is of what a tool keeps for itself, to be faster the next time: nobody is told of it.
func (c Change) Cache() bool {
	return c.Ignored && slices.ContainsFunc(strings.Split(c.Path, "/"), func(name string) bool { return slices.Contains(caches, name) })
}

// caches are what tools call the directories of their caches.
var caches = []string{"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".cache", ".parcel-cache", ".turbo"}
