package workspace

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// tempPrefix begins the name of every file that a change writes before it moves it into place.
const tempPrefix = ".nebula-tmp-"

// Clean turns a path as a model writes it into one relative to the folder, with slashes and without "..", or ".". An
// absolute path that lies inside is made relative; one of a folder that was added stays absolute. What leads outside is a [nebula.Mistake]. Clean looks at names
// only: where links lead is seen when the path is used.
func (d *Dir) Clean(p string) (string, error) {
	if strings.ContainsRune(p, 0) || !utf8.ValidString(p) {
		return "", nebula.Wrong("", "%q is not a path: it has bytes that no file name here can have.", p)
	}
	if encoded(p) {
		return "", nebula.Wrong("Give a plain path relative to the folder.", "%q is an address, not a path.", p)
	}
	slashed := filepath.ToSlash(p)
	if slashed == "~" || strings.HasPrefix(slashed, "~/") {
		return "", d.outside(p)
	}
	if filepath.IsAbs(p) || strings.HasPrefix(slashed, "/") {
		rel, ok := d.inside(p)
		if !ok {
			if there, added := d.further(p); added {
				return there, nil
			}
			return "", d.outside(p)
		}
		slashed = rel
	}
	clean := path.Clean(slashed)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		if there, added := d.further(filepath.Join(d.real, filepath.FromSlash(clean))); added {
			return there, nil
		}
		return "", d.outside(p)
	}
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", d.outside(p)
	}
	return clean, nil
}

var scheme = &lazy.Pattern{X: `^[A-Za-z][A-Za-z0-9+.-]+://`}

// dots are what stands for "." and "/" in addresses.
var dots = strings.NewReplacer("%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%5c", "/", "%5C", "/")

// encoded reports whether a path is written as in an address: it would become a file of that name.
func encoded(p string) bool {
	if strings.Contains(p, "://") && scheme.In(p) {
		return true
	}
	plain := dots.Replace(p)
	return plain != p && lists.Has(strings.Split(plain, "/"), "..")
}

//go:noinline
func (d *Dir) outside(p string) error {
	return nebula.Wrong("Only files inside can be used: give a path relative to it.", "%q leads outside the folder.", p)
}

// inside makes an absolute path relative to the folder, by either of the folder's two spellings.
func (d *Dir) inside(p string) (string, bool) {
	for _, top := range []string{d.path, d.real} {
		rel, err := filepath.Rel(top, filepath.Clean(p))
		if err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Protected reports whether a path is never written: the repository's and nebula's own folders, by any spelling that
// some file system takes for them, and names that Windows reads as another file's.
func (d *Dir) Protected(p string) bool {
	rel, err := d.Clean(p)
	if err != nil {
		rel = p
	} else if o, in := d.of(rel); o != d {
		return o.Protected(in)
	}
	for name := range strings.SplitSeq(strings.ReplaceAll(filepath.ToSlash(rel), `\`, "/"), "/") {
		if guarded(name) {
			return true
		}
	}
	return err == nil && d.owned(rel)
}

// owned reports whether a clean path is one of nebula's own, or inside one.
func (d *Dir) owned(rel string) bool {
	full := filepath.Join(d.real, filepath.FromSlash(rel))
	for _, o := range d.own {
		if covers(o.path, full) {
			return true
		}
		// The database has companions (-wal, -shm, -journal) that live and die with it.
		if !o.stat.mode.IsDir() && strings.HasPrefix(fold(full), fold(o.path)+"-") {
			return true
		}
	}
	return false
}

func covers(dir, p string) bool {
	dir, p = fold(dir), fold(p)
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// fold makes two spellings of one name equal where the file system takes them for one.
func fold(p string) string {
	if foldsCase {
		return strings.ToLower(p)
	}
	return p
}

const foldsCase = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

// guarded reports whether a single name stands for .git or .nebula on some file system, or hides another name: HFS+
// drops invisible characters, NTFS drops dots and spaces at the end, takes what follows a colon for a stream, and knows
// short names.
func guarded(name string) bool {
	if name == "" || name == "." || name == ".." {
		return false
	}
	if strings.HasPrefix(name, tempPrefix) {
		return true
	}
	plain := strings.ToLower(strings.Map(visible, name))
	base, stream, _ := strings.Cut(plain, ":")
	base = strings.TrimRight(base, ". ")
	if base == ".git" || base == ".nebula" {
		return true
	}
	if runtime.GOOS == "windows" && (stream != "" || base == "" || base != strings.TrimRight(plain, ":")) {
		return true
	}
	return short(base)
}

// short reports whether a lower-case name is, or on Windows could be, the short (8.3) name of a guarded one.
func short(name string) bool {
	stem, n, ok := strings.Cut(name, "~")
	if !ok || n == "" || strings.Trim(n, "0123456789") != "" {
		return false
	}
	return stem == "git" || stem == "nebula" || runtime.GOOS == "windows"
}

// visible drops the characters that HFS+ ignores in names.
func visible(r rune) rune {
	if phrase.Is(r, phrase.Skipped) {
		return -1
	}
	return r
}

// printable reports whether a name can be shown on one line without changing the line.
//
//go:noinline
func printable(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return phrase.Is(r, phrase.Control|phrase.Turning|phrase.Parting) })
}
