package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/steer"
)

// loadable are the endings of files that a program loads as a part of itself.
var loadable = strings.Fields(".py .pyi .js .mjs .cjs .ts .mts .cts .jsx .tsx .rb .pl .pm .php .lua .sh .bash .zsh .fish .ps1 .psm1 .so .dll .dylib .node .wasm .jar .class .exs .ex")

// Bounds of what is looked at below a folder: what holds more is no folder of one script.
const (
	mostCode     = 400
	deepestCode  = 4
	largestTotal = 16 << 20
)

// tasks are where programs that run a folder's tasks by name find what they run.
var tasks = map[string][]string{"npm": {"package.json"}, "npx": {"package.json"}, "pnpm": {"package.json"}, "yarn": {"package.json"}, "bun": {"package.json"}, "bunx": {"package.json"},
	"make": {"Makefile", "makefile", "GNUmakefile"}, "gmake": {"Makefile", "makefile", "GNUmakefile"}, "just": {"justfile", "Justfile"}, "task": {"Taskfile.yml", "Taskfile.yaml"}, "rake": {"Rakefile"},
	"deno": {"deno.json", "deno.jsonc"}, "uv": {"pyproject.toml"}, "poetry": {"pyproject.toml"}, "composer": {"composer.json"}}

// parts are the words of a line that is given to a shell as one word, without what only parts them.
func parts(words []string) (all []string) {
	for _, word := range words {
		all = append(all, word)
		if pieces := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n\"';|&()<>", r) }); len(pieces) > 1 {
			all = append(all, pieces...)
		}
	}
	return all
}

// unwritten are the words of a line without those that it only writes to: what a program prints is no part of it.
func unwritten(line string) []string {
	plain := strings.NewReplacer(`"`, "", `'`, "").Replace
	words := parts(strings.Fields(plain(line)))
	if !strings.Contains(line, ">") {
		return words
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return words
	}
	times := map[string]int{}
	syntax.Walk(file, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok && r.Word != nil && lists.Has(onlyWrites, r.Op) {
			times[plain(line[r.Word.Pos().Offset():r.Word.End().Offset()])]++
		}
		return true
	})
	return lists.Drop(words, func(word string) bool { // one that stands elsewhere too may be run there
		return times[word] > 0 && times[word] == strings.Count(plain(line), word)
	})
}

// onlyWrites are the signs before what a line writes to and reads nothing of.
var onlyWrites = []syntax.RedirOperator{syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll}

// loads are the files of a folder that a program which is started with some words is made of, each with its hash: the files
// that they name, and the code beside and below these, which they import. Where they stand at the top of the folder, or beside
// too much, they stand for themselves.
func loads(root *os.Root, words []string) (text string) {
	var dirs []string
	for i, word := range words {
		if handed(root, words[:i+1]) {
			continue
		}
		names := []string{word}
		if i > 0 && words[i-1] == "-m" {
			module := strings.ReplaceAll(word, ".", "/")
			names = []string{module + ".py", module + "/__main__.py", module + "/__init__.py"}
		}
		for _, file := range tasks[path.Base(filepath.ToSlash(word))] {
			file = path.Join(path.Dir(filepath.ToSlash(word)), file)
			names = append(append(names, file), tasked(root, file)...)
		}
		if i > 0 && path.Base(filepath.ToSlash(words[0])) == "npx" {
			names = append(names, "node_modules/.bin/"+word)
		}
		for _, name := range names {
			name = path.Clean(filepath.ToSlash(name))
			if data, ok := inRoot(root, name); ok {
				text += fmt.Sprintf("%s: sha256 %s\n", name, nebula.Hash(data))
				name = path.Dir(name)
			} else if info, err := root.Stat(name); err != nil || !info.IsDir() {
				continue
			}
			if name != "." && !lists.Has(dirs, name) {
				dirs = append(dirs, name)
			}
		}
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		if hash, n := codeIn(root, dir); n > 0 {
			text += fmt.Sprintf("%s/: %d, sha256 %s\n", dir, n, hash)
		}
	}
	return text
}

// noted are the endings of files in which programs keep what they saw, and interpreters what runs the file that stands behind it.
var (
	noted        = strings.Fields(".log .txt .out .err .jsonl .csv .pid .lock .tmp")
	interpreters = strings.Fields("sh bash dash zsh fish ksh python python3 node bun ruby perl php lua")
)

// handed reports whether the last of some words is a file that a script is only handed, to write to: one of the folder's own, which counts
// itself. What is in doubt is none: behind a flag with a file, or where the script may be no more than read.
func handed(root *os.Root, words []string) bool {
	at := len(words) - 1
	name := path.Clean(words[at])
	if info, err := root.Stat(name); err == nil && isCode(name, info) {
		return false
	}
	for at--; at > 0 && (strings.HasPrefix(words[at], "-") || lists.Has(noted, path.Ext(words[at]))); {
		at--
	}
	if at >= 0 && words[at] == "tee" {
		return true
	}
	if at < 0 || !lists.Has(noted, path.Ext(name)) || at > 0 && !lists.Has(interpreters, path.Base(words[at-1])) {
		return false
	}
	info, err := root.Stat(path.Clean(words[at]))
	return err == nil && info.Mode().IsRegular()
}

// tasked are the files of code that a file of tasks names: what its tasks run.
func tasked(root *os.Root, file string) (names []string) {
	data, _ := inRoot(root, file)
	for _, word := range strings.FieldsFunc(string(data), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`;|&()<>=:,[]{}", r) }) {
		name := path.Join(path.Dir(file), word)
		if info, err := root.Stat(name); err == nil && isCode(name, info) && !lists.Has(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// isCode reports whether a file is one that a program loads or that runs itself.
func isCode(name string, info fs.FileInfo) bool {
	return info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || lists.Has(loadable, strings.ToLower(path.Ext(name))))
}

// codeIn is one hash of all code in a folder and below it; none where that is too much.
func codeIn(root *os.Root, dir string) (hash string, n int) {
	var all strings.Builder
	total := int64(0)
	err := fs.WalkDir(root.FS(), dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if strings.Count(p, "/")-strings.Count(dir, "/") > deepestCode || steer.Filled(e.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		info, err := root.Stat(p)
		if err != nil || !isCode(p, info) {
			return nil // a link that leads out of the folder is none of its files
		}
		if n, total = n+1, total+info.Size(); n > mostCode || total > largestTotal {
			return fs.ErrInvalid
		}
		data, _ := inRoot(root, p)
		fmt.Fprintf(&all, "%s %s\n", p, nebula.Hash(data))
		return nil
	})
	if err != nil {
		return "", 0
	}
	return nebula.Hash([]byte(all.String())), n
}
