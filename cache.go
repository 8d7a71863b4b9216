package nebula

import (
	"path"
	"slices"
	"strings"
)

// Cache reports whether the change is of what a tool keeps for itself, to be faster the next time: nobody is told of it.
func (c Change) Cache() bool {
	return c.Ignored && slices.ContainsFunc(strings.Split(c.Path, "/"), func(name string) bool { return slices.Contains(caches, name) })
}

// Left reports whether the change is of what programs leave behind where they run: it is no work of whoever ran them.
//
//go:noinline
func (c Change) Left() bool { return Target{Path: c.Path, Ignored: c.Ignored}.Left() }

// Left reports whether a file is one that programs leave behind where they run, for themselves: nobody misses it, and it goes against nothing
// that is said of files. What a project ignores beside it is somebody's all the same.
func (t Target) Left() bool {
	return runs(t.Path) || t.Ignored && (slices.Contains(endings, path.Ext(t.Path)) || slices.ContainsFunc(strings.Split(t.Path, "/"), func(name string) bool {
		return slices.Contains(caches, name) || slices.Contains(products, name)
	}))
}

// traces are the names of what test runners and package managers leave, whatever a project ignores: nobody gives a file such a name.
const traces = " __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis .nyc_output .eslintcache .coverage coverage.xml coverage-final.json lcov.info lcov-report clover.xml htmlcov cover.out coverage.out .tox .nox .parcel-cache .turbo "

func runs(file string) bool {
	return strings.Contains(file, "node_modules/.") || slices.ContainsFunc(strings.Split(file, "/"), func(name string) bool { return strings.Contains(traces, " "+name+" ") })
}

// products are what compilers and test runners call the files and directories of what they make, endings those of such files.
var (
	products = strings.Fields("target build dist out obj _build coverage htmlcov .coverage .nyc_output .gradle .tox .nox .next .nuxt .svelte-kit .DS_Store")
	endings  = strings.Fields(".log .tmp .out .pid .cov .prof .o .class .pyc .tsbuildinfo")
)

// caches are what tools call the directories of their caches.
var caches = []string{"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".cache", ".parcel-cache", ".turbo"}
