// Package bench holds small tasks that show how well a model works in each protocol, checks what came of them, and says what
// the figures speak for. It runs nothing by itself: who calls it carries the tasks out and runs a check's command.
package bench

import (
	_ "embed" // the tasks, packed
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"nebula/internal/packed"
)

//go:embed tasks.flate
var carried []byte

// kept are the archives below tasks.
var kept = packed.Files(carried)

// A Task is a request, the files that it is made of, and how it is told that it was done.
type Task struct {
	Name, Kind, Ask string
	Needs           string            // the program that the check needs; empty for none
	Run             string            // the command that tells; empty where looking is enough
	Files           map[string]string // as they stand at first
	After           map[string]string // put beside them for the command

	want   map[string]string // files as they have to be
	may    []string          // files that may be made or changed
	checks []check
}

// A check is one line of a task: a row of checkers with its words.
type check struct {
	verb, file, text string
	pattern          *regexp.Regexp
}

// Tasks are all of them, by name.
func Tasks() ([]Task, error) {
	var list []Task
	for _, name := range slices.Sorted(maps.Keys(kept())) {
		t, err := read(strings.TrimSuffix(name, ".txtar"), []byte(kept()[name]))
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", name, err)
		}
		list = append(list, t)
	}
	return list, nil
}

func read(name string, data []byte) (Task, error) {
	t := Task{Name: name, Files: map[string]string{}, After: map[string]string{}, want: map[string]string{}}
	archive := txtar.Parse(data)
	for _, f := range archive.Files {
		if rest, ok := strings.CutPrefix(f.Name, "want/"); ok {
			t.want[rest] = string(f.Data)
		} else if rest, ok := strings.CutPrefix(f.Name, "after/"); ok {
			t.After[rest] = string(f.Data)
		} else {
			t.Files[f.Name] = string(f.Data)
		}
	}
	for line := range strings.Lines(string(archive.Comment)) {
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		if err := t.line(line); err != nil {
			return t, err
		}
	}
	if t.Ask == "" || t.Kind == "" || len(t.want)+len(t.checks) == 0 && t.Run == "" {
		return t, fmt.Errorf("lacks what is asked, its kind, or a check")
	}
	return t, nil
}

// line reads a line of a task's head.
func (t *Task) line(line string) (err error) {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "ask":
		t.Ask = rest
	case "kind":
		t.Kind = rest
	case "needs":
		t.Needs = rest
	case "run":
		t.Run = rest
	case "may":
		t.may = append(t.may, rest)
	case "says":
		c := check{verb: verb, text: rest}
		c.pattern, err = regexp.Compile(rest)
		t.checks = append(t.checks, c)
	default:
		if checkers[verb] == nil {
			return fmt.Errorf("no check %q", verb)
		}
		file, text, _ := strings.Cut(rest, " ")
		c := check{verb: verb, file: file, text: text}
		if verb == "matches" {
			c.pattern, err = regexp.Compile(text)
		}
		t.checks = append(t.checks, c)
	}
	return err
}

// Select are the tasks whose name begins with one of the words, or that are of a kind of that name; all for no words. unknown
// are words that mean none.
func Select(list []Task, words []string) (chosen []Task, unknown []string) {
	if len(words) == 0 {
		return list, nil
	}
	means := func(t Task, word string) bool { return t.Kind == word || strings.HasPrefix(t.Name, word) }
	for _, w := range words {
		if !slices.ContainsFunc(list, func(t Task) bool { return means(t, w) }) {
			unknown = append(unknown, w)
		}
	}
	for _, t := range list {
		if slices.ContainsFunc(words, func(w string) bool { return means(t, w) }) {
			chosen = append(chosen, t)
		}
	}
	return chosen, unknown
}
