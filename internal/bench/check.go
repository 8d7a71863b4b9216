package bench

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// checkers are what a line of a task's head can demand of a file. A text is compared without what stands blank at its end.
var checkers = map[string]func(c check, text string, there bool) bool{
	"gone":    func(_ check, _ string, there bool) bool { return !there },
	"holds":   func(c check, text string, _ bool) bool { return strings.Contains(text, c.text) },
	"lacks":   func(c check, text string, there bool) bool { return there && !strings.Contains(text, c.text) },
	"matches": func(c check, text string, _ bool) bool { return c.pattern.MatchString(text) },
	"json":    func(_ check, text string, _ bool) bool { return json.Valid([]byte(text)) },
	"sha": func(c check, text string, _ bool) bool {
		return strings.HasPrefix(nebula.Hash([]byte(strings.ReplaceAll(trimmed(text), "\r\n", "\n"))), c.text)
	},
	"keys": func(c check, text string, _ bool) bool {
		var object map[string]json.RawMessage
		n, _ := strconv.Atoi(c.text)
		return json.Unmarshal([]byte(text), &object) == nil && len(object) == n
	},
}

//go:noinline
func trimmed(text string) string { return strings.TrimRight(text, " \t\r\n") }

// Missed is the first thing that a task demands and that did not come about, without its command; empty where all did. answer
// is what the model said last.
func (t Task) Missed(dir fs.FS, answer string) (nebula.Words, error) {
	found, err := files(dir)
	if err != nil {
		return nebula.Words{}, err
	}
	for _, name := range names(t.want, t.Files, found) {
		was, known := t.Files[name]
		now, there := found[name]
		want, wanted := t.want[name]
		switch {
		case wanted && trimmed(now) != trimmed(want):
			return nebula.Say("%s is not as it should be", name), nil
		case wanted || lists.Has(t.may, name) || t.checked(name, "gone"):
		case known && !there:
			return nebula.Say("%s was deleted", name), nil
		case known && now != was:
			return nebula.Say("%s was changed", name), nil
		case !known:
			return nebula.Say("%s was made", name), nil
		}
	}
	for _, c := range t.checks {
		if c.verb == "says" {
			if !c.pattern.MatchString(answer) {
				return nebula.Say("the answer does not say it"), nil
			}
			continue
		}
		if text, there := found[c.file]; !checkers[c.verb](c, text, there) {
			return nebula.Say("%s is not as it should be", c.file), nil
		}
	}
	return nebula.Words{}, nil
}

//go:noinline
func (t Task) checked(file, verb string) bool {
	return slices.ContainsFunc(t.checks, func(c check) bool { return c.file == file && c.verb == verb })
}

func names(sets ...map[string]string) (list []string) {
	for _, set := range sets {
		for name := range set {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return lists.Compact(list)
}

// asides are folders that programs leave behind when they run, and that are no part of what was done.
var asides = []string{"__pycache__", "node_modules", ".git", ".pytest_cache"}

// files are the texts of a folder. What is larger than any task needs counts as another text.
func files(dir fs.FS) (map[string]string, error) {
	found := map[string]string{}
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && lists.Has(asides, path.Base(name)):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if info, err := d.Info(); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			found[name] = "\x00"
			return nil
		}
		data, err := fs.ReadFile(dir, name)
		found[name] = string(data)
		return err
	})
	return found, err
}
