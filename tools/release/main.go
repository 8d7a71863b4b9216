// Release builds everything that a version of nebula is given to people as, from the commit that is checked out:
//
//	go -C tools/release run . -out DIR -url https://… [-key FILE] [-only linux/amd64,…]
//
// Archives with static binaries, packages for Debian's, Red Hat's and Alpine's managers, npm packages, recipes for Homebrew,
// Scoop and Nix, an install script, man page and completions, a list of the modules in it (CycloneDX), where it comes from
// (SLSA provenance), checksums and, with a key, their signature. The same commit gives the same bytes in any folder.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A target is a system and a processor, as Go and others name them.
type target struct {
	os, arch string
	node     string // what npm calls the pair: process.platform and process.arch
	uname    string // what uname -s and -m print there, as a pattern of the shell; empty where there is no uname
}

var targets = []target{
	{"linux", "amd64", "linux x64", "Linux/x86_64 | Linux/amd64"},
	{"linux", "arm64", "linux arm64", "Linux/aarch64 | Linux/arm64"},
	{"darwin", "amd64", "darwin x64", "Darwin/x86_64"},
	{"darwin", "arm64", "darwin arm64", "Darwin/arm64"},
	{"windows", "amd64", "win32 x64", ""},
	{"windows", "arm64", "win32 arm64", ""},
}

// String is the pair as Go names it.
func (t target) String() string { return t.os + "/" + t.arch }

// binary is the file's name on its system.
func (t target) binary() string {
	if t.os == "windows" {
		return "nebula.exe"
	}
	return "nebula"
}

// fleet is the name of the command for teams on its system.
func (t target) fleet() string { return "nebula-fleet" + strings.TrimPrefix(t.binary(), "nebula") }

func run() error {
	out := flag.String("out", "dist", "the folder for what is made; it must be empty or not there")
	url := flag.String("url", "", "the address below which people will find these files; without it there are no recipes, no install script and no updates")
	key := flag.String("key", "", "a minisign secret key, whose password is in RELEASE_KEY_PASSWORD; -newkey makes one")
	newKey := flag.String("newkey", "", "write a new key to this file, its public half beside it, and end")
	only := flag.String("only", "", "these targets alone, as in linux/amd64,linux/arm64")
	version := flag.String("version", "", "the version, in place of the one that the commit's tag says")
	flag.Parse()
	if *newKey != "" {
		return makeKey(*newKey)
	}
	some := []target{}
	for _, t := range targets {
		if *only == "" || strings.Contains(","+*only+",", ","+t.String()+",") {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return fmt.Errorf("-only %s names none of %v", *only, targets)
	}
	if old, _ := os.ReadDir(*out); len(old) > 0 {
		return fmt.Errorf("%s is not empty: choose another folder or empty it", *out)
	}
	dist, err := filepath.Abs(*out)
	if err != nil {
		return err
	}
	r, err := begin(dist, strings.TrimSuffix(*url, "/"), *version, some)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(r.work) }()
	if *key != "" {
		if r.signer, err = readKey(*key); err != nil {
			return err
		}
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"binaries", r.build},
		{"man page and completions", r.describe},
		{"archives", r.archives},
		{"deb, rpm, apk", r.systemPackages},
		{"npm", r.npm},
		{"modules and provenance", r.origin},
		{"recipes", r.recipes},
		{"checksums", r.sums},
	} {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	fmt.Printf("nebula %s: %d files in %s\n", r.version, len(r.made), dist)
	if r.signer == nil {
		fmt.Println("not signed: -key signs the checksums")
	}
	return nil
}

// errNoCommit is what a tree without git says.
var errNoCommit = errors.New("a release is made from a commit, in a git repository")
