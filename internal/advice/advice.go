// Package advice finds what a project and a person wrote for whoever works there, in AGENTS.md and files like it: the person's own, those of
// the repository down to the folder, and those of the folders in it that are worked in. It gives no right to anything. The package touches no disk.
package advice

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Names are the files that are read; of those that stand beside one another only the first.
var Names = []string{"AGENTS.override.md", "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "GEMINI.md", ".cursorrules", ".github/copilot-instructions.md"}

// Beside is a file that is read behind CLAUDE.md, and gives way as that does: a person's own that is not for the others.
const Beside = "CLAUDE.local.md"

// MaxSize is how long a file may be, in bytes, to be read at all; of one that is longer than begins, its beginning counts.
const (
	MaxSize = 64 << 20
	begins  = 256 << 10
)

// A Place is a folder that may hold advice.
type Place struct {
	Shown string // stands before the names of its files where they are shown, with a slash at its end; empty for the work folder
	// Read gives a file of the place, by its path there, if it is one that may be read.
	Read func(name string) ([]byte, bool)
}

// A File is advice as far as there is room for it.
type File struct {
	Path  string // as it is shown
	Text  string
	Lines int // of the text
	Left  int // lines behind them, left out
	// Unread are the files beside it that say something else, and are not read since it is.
	Unread []string
	// Missing are the documents that it names to be brought in and that are not there, or may not be.
	Missing []string

	brought bool // another file names it, and shows its name
	leaves  int  // tokens of the file that it stands beside, which it does not push out
	tokens  int
}

// A Finder finds advice, and reads a file once: what a model was told does not change under it.
type Finder struct {
	Homes  []Place                // the person's own: the first that has any counts
	Around []Place                // from what is farthest to the work folder
	Below  func(dir string) Place // a folder in the work folder
	Count  func(string) int       // tokens of a text
	Room   int                    // tokens for all of it; 0 reads nothing

	known map[string][]File // by the place
}

// For is the advice for work on some files of the folder, what is nearest to them last. When not all of it has room, that goes first which is
// farthest away; one that is cut keeps the less of it the longer it is, but two fifths of
// the room, since a file so long says little with each line.
func (f *Finder) For(touched []string) []File {
	if f.Room <= 0 {
		return nil
	}
	var all []File
	for _, p := range f.places(touched) {
		all = append(all, f.of(p)...)
	}
	left := f.Room
	for i := len(all) - 1; i >= 0; i-- {
		room := left
		if file := all[i]; file.leaves > 0 {
			room = max(left-file.leaves, left/2)
		}
		if all[i].tokens > room {
			room = min(room, max(2*f.Room-all[i].tokens, f.Room*2/5))
			if all[i].leaves == 0 {
				left = room
			}
			all[i] = f.cut(all[i], room)
		}
		left -= all[i].tokens
	}
	return lists.Drop(all, func(file File) bool { return file.Lines == 0 && (file.Left == 0 || file.brought) })
}

// places are those around, and below them the folders of what was touched, each once, the higher first.
func (f *Finder) places(touched []string) []Place {
	dirs := map[string]bool{} // with each those above it
	for _, file := range touched {
		for dir := path.Dir(path.Clean(file)); dir != "." && !path.IsAbs(dir) && !strings.HasPrefix(dir, "..") && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	var places []Place
	if i := slices.IndexFunc(f.Homes, func(p Place) bool { return len(f.of(p)) > 0 }); i >= 0 {
		places = append(places, f.Homes[i])
	}
	places = append(places, f.Around...)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		places = append(places, f.Below(dir))
	}
	return places
}

// of is a place's advice: its file and the one beside it, and before each what that brings in.
func (f *Finder) of(p Place) []File {
	if files, ok := f.known[p.Shown]; ok {
		return files
	}
	var files []File
	for i, name := range Names {
		if data, ok := p.Read(name); ok && len(bytes.TrimSpace(data)) > 0 {
			files = bring(p, name, data, nil)
			files[len(files)-1].Unread = unread(p, Names[i+1:], files)
			break
		}
	}
	if data, ok := p.Read(Beside); ok && (len(files) == 0 || slices.ContainsFunc(files, func(f File) bool { return path.Base(f.Path) == "CLAUDE.md" })) {
		for _, file := range bring(p, Beside, data, nil) {
			if !has(files, file.Path) {
				files = append(files, file)
			}
		}
	} else if ok {
		last := &files[len(files)-1]
		last.Unread = append(last.Unread, p.Shown+Beside)
	}
	main := 0
	for i := range files {
		files[i].tokens = f.Count(files[i].Text)
		if path.Base(files[i].Path) == "CLAUDE.md" {
			main = files[i].tokens
		} else if files[i].Path == p.Shown+Beside {
			files[i].leaves = main
		}
	}
	if f.known == nil {
		f.known = map[string][]File{}
	}
	f.known[p.Shown] = files
	return files
}

//go:noinline
func has(files []File, name string) bool {
	return slices.ContainsFunc(files, func(f File) bool { return f.Path == name })
}

// unread are the files of other programs that give way to those that are read, but for those that say the same or only name one of these.
func unread(p Place, names []string, files []File) (not []string) {
	for _, name := range names {
		data, ok := p.Read(name)
		if !ok || strings.HasPrefix(name, "AGENTS.") || has(files, p.Shown+name) {
			continue
		}
		text, _ := clean(data)
		named := imports(text)
		same := func(f File) bool {
			return f.Text == text || len(named) == 1 && p.Shown+path.Join(path.Dir(name), named[0]) == f.Path && len(strings.Fields(text)) == 1
		}
		if text != "" && !slices.ContainsFunc(files, same) {
			not = append(not, p.Shown+name)
		}
	}
	return not
}

// Bounds of files that bring in files: how deep, and how many a place has in all.
const (
	deepest = 4
	widest  = 16
)

// bring is a file with those before it that it names as @path, each once.
func bring(p Place, name string, data []byte, from []string) (files []File) {
	from = append(from, name)
	text, left := clean(data)
	var missing []string
	for _, named := range imports(text) {
		other := path.Join(path.Dir(name), named)
		if path.IsAbs(named) || named[0] == '~' {
			other = ".." // nothing is read that lies elsewhere
		}
		if lists.Has(from, other) || len(from) > deepest || len(files) >= widest {
			continue
		}
		data, ok := []byte(nil), false
		if Open(other) {
			data, ok = p.Read(other)
		}
		if !ok {
			if document(named) && !lists.Has(missing, named) {
				missing = append(missing, named)
			}
			continue
		}
		for _, file := range bring(p, other, data, from) {
			if !has(files, file.Path) {
				files = append(files, file)
			}
		}
	}
	return append(files[:min(len(files), widest)], File{Path: p.Shown + name, Text: text, Lines: strings.Count(text, "\n"), Left: left, Missing: missing, brought: len(from) > 1})
}

// document reports whether what stands behind an @ is meant as a file of advice: a person or a package has such a name too.
func document(name string) bool {
	return lists.Has([]string{".md", ".mdc", ".mdx", ".txt"}, strings.ToLower(path.Ext(name)))
}

// shown are the hidden files and folders in which people keep what they tell agents.
var shown = []string{".github", ".agents", ".claude", ".cursor", ".cursorrules"}

// Open reports whether a file may be brought in: nothing is that is hidden, but for what is kept for agents.
func Open(file string) bool {
	for _, part := range strings.Split(file, "/") {
		if strings.HasPrefix(part, ".") && !lists.Has(shown, part) {
			return false
		}
	}
	return true
}

// imports are the paths behind an @ that begins a word, outside of code.
func imports(text string) (paths []string) {
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		for i, piece := range strings.Split(line, "`") {
			if i%2 == 1 {
				continue // between backquotes
			}
			for _, word := range strings.Fields(piece) {
				if name, ok := strings.CutPrefix(word, "@"); ok && strings.TrimRight(name, ".,;:!?)") != "" {
					paths = append(paths, strings.TrimRight(name, ".,;:!?)"))
				}
			}
		}
	}
	return paths
}

// clean is what is told of a file, and how many lines behind that are not looked at.
func clean(data []byte) (text string, left int) {
	if len(data) > begins {
		end := bytes.LastIndexByte(data[:begins], '\n') + 1
		if end == 0 {
			end = begins
		}
		left = max(1, bytes.Count(data[end:], []byte("\n")))
		data = data[:end]
	}
	if text = strings.TrimSpace(phrase.Clean(string(data))); text != "" {
		text += "\n"
	}
	return text, left
}

// cut keeps the first lines that have room.
func (f *Finder) cut(file File, room int) File {
	lines := strings.SplitAfter(strings.TrimSuffix(file.Text, "\n"), "\n")
	kept, text := 0, ""
	for tokens := 0; kept < len(lines); kept++ {
		if tokens += f.Count(lines[kept]); tokens > room {
			break
		}
		text += lines[kept]
	}
	file.Left += len(lines) - kept
	file.Text, file.Lines, file.tokens = text, kept, f.Count(text)
	return file
}
