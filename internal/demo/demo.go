// Package demo holds the sample project of `nebula demo`: a todo list in four layers with tests of its own, and the
// edits of the recorded conversation. The project is an archive, so that it is no part of nebula's own module.
package demo

import (
	_ "embed" // the sample and the conversations, packed
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nebula/internal/packed"
)

// A File is one file of the sample, its path with slashes.
type File struct{ Path, Content string }

//go:embed demo.flate
var carried []byte

// files are those below sample and talk, by their names.
var files = packed.Files(carried)

// Project is the sample as it is before anybody asked for anything.
func Project() []File { return unpack(files()["todo.txtar"]) }

// Attempt is the files that the first attempt at the feature writes, whole. With them one test fails:
// TestFilesOfTheFirstVersionAreRead.
func Attempt() []File { return unpack(files()["attempt.txtar"]) }

// Fix is the files that make it pass.
func Fix() []File { return unpack(files()["fix.txtar"]) }

// Write puts files into the folder dir, over those that are there.
func Write(dir string, files []File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("sample project: %w", err)
		}
		if err := os.WriteFile(path, []byte(f.Content), 0o644); err != nil {
			return fmt.Errorf("sample project: %w", err)
		}
	}
	return nil
}

// unpack reads a txtar archive.
func unpack(archive string) []File {
	var files []File
	for line := range strings.Lines(archive) {
		name, head := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "-- ")
		name, tail := strings.CutSuffix(name, " --")
		switch {
		case head && tail:
			files = append(files, File{Path: name})
		case len(files) > 0:
			files[len(files)-1].Content += line
		}
	}
	return files
}
