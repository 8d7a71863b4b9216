package matter

import (
	"io/fs"
	"strings"
	"unicode"
)

// A Folder may hold what people write for agents, in it and below.
type Folder struct {
	FS    fs.FS
	Shown string // its path, as the person would name it
	Own   bool   // it is the person's, not the project's
}

// Files gives what read makes of the files of a folder, so many at most. What cannot be read is not there.
func Files[T any](f Folder, most int, read func(f Folder, file string) (T, bool)) (list []T) {
	_ = fs.WalkDir(f.FS, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(list) == most:
			return fs.SkipAll
		case d.IsDir():
			return nil
		}
		if one, ok := read(f, name); ok {
			list = append(list, one)
		}
		return nil
	})
	return list
}

// Named reports whether a text can be a name: a word of letters, digits and some marks, without a dot before it, no longer than
// most bytes.
func Named(name string, most int, marks string) bool {
	return name != "" && len(name) <= most && name[0] != '.' && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(marks, r)
	})
}
