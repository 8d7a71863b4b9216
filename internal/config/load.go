package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// An Input is everything settings can come from.
type Input struct {
	Env      Env
	Dir      string            // the project's folder; its .nebula/config.json is read; may be empty
	Flags    map[string]string // by flag name, without dashes; only those that were given
	Terminal bool              // whether a person can be asked
}

// A FileError is a settings file that is there and cannot be read.
type FileError struct {
	Path string
	Err  error
}

// Error is the sentence in English.
func (e *FileError) Error() string { return e.Words().String() }

// Words implements [nebula.Speaker].
func (e *FileError) Words() nebula.Words {
	return nebula.Say("%s: %w; make it a file that you can read, or move it away", e.Path, e.Err)
}

// Unwrap gives what stood in the way.
func (e *FileError) Unwrap() error { return e.Err }

// maxFile bounds settings files; a person's are a few kilobytes.
const maxFile = 1 << 20

// Load reads everything and decides. It writes nothing. Errors are a [FileError], an [OwnerError], a [ParseError] or a [ValueError].
func Load(in Input) (Config, error) {
	home, err := FindHome(in.Env)
	if err != nil {
		return Config{}, err
	}
	c := Config{Home: home, env: in.Env}
	l := &layers{found: map[string]found{}, sections: map[string]json.RawMessage{}}
	if o := home.strange(os.Geteuid()); o != nil {
		l.warnings = append(l.warnings, o.Words())
	}
	l.warnings = append(l.warnings, home.shut()...)
	l.defaults(in)
	user, mode, err := readFile(home.File())
	if err != nil {
		return c, err
	}
	if err := l.file(home.File(), user); err != nil {
		return c, err
	}
	if mode&0o077 != 0 && l.holdsKey() {
		l.warn("%s holds a key and others can read it; run chmod 600 %s", home.File(), home.File())
	}
	if err := l.environment(in.Env); err != nil {
		return c, err
	}
	if err := l.project(in.Dir, home); err != nil {
		return c, err
	}
	if err := l.flags(in.Flags); err != nil {
		return c, err
	}
	c.decide(l)
	c.Warnings, c.sections = l.warnings, l.sections
	return c, nil
}

// layers collects values, the later over the earlier.
type layers struct {
	found    map[string]found
	order    []string
	sections map[string]json.RawMessage
	warnings []nebula.Words
}

type found struct{ text, source string }

//go:noinline
func (l *layers) put(key, text, source string) {
	if _, ok := l.found[key]; !ok {
		l.order = append(l.order, key)
	}
	l.found[key] = found{text, source}
}

func (l *layers) value(key string) (found, bool) {
	f, ok := l.found[key]
	return f, ok
}

func (l *layers) keys() []string { return l.order }

//go:noinline
func (l *layers) warn(format string, args ...any) {
	l.warnings = append(l.warnings, nebula.Say(format, args...))
}

// plain keeps control characters of a file's own words out of a message.
func plain(word string) string {
	if q := strconv.Quote(word); strings.Contains(q, `\`) {
		return q
	}
	return word
}

func (l *layers) holdsKey() bool {
	for key := range l.found {
		if s, _, err := Find(key); err == nil && s.Kind == Key {
			return true
		}
	}
	return false
}

func (l *layers) defaults(in Input) {
	for _, s := range settings {
		if s.Default != "" {
			l.put(s.Name, s.Default, "default")
		}
	}
	if in.Terminal {
		l.put("approve", "ask", "default")
	} else {
		l.put("approve", "none", "default without a terminal")
	}
	if lang, name := locale(in.Env); lang != "" {
		l.put("lang", lang, "env "+name)
	}
}

func (l *layers) file(path string, data []byte) error {
	doc, err := parseDocument(path, data)
	if err != nil {
		return err
	}
	for _, name := range sections {
		if raw, ok := doc.get(name); ok {
			l.sections[name], doc = raw, doc.with(name, nil)
		}
	}
	return walk(doc, nil, func(key string, raw json.RawMessage) error {
		s, _, err := Find(key)
		if err != nil {
			var e *ValueError
			errors.As(err, &e)
			l.warn("%s: %s is not a setting and is left alone; %s", path, plain(key), e.Next)
			return nil
		}
		if string(raw) == "null" {
			return nil
		}
		text, err := s.text(raw)
		if err != nil {
			return from(err, key, path)
		}
		l.put(key, text, path)
		return nil
	})
}

// walk visits the leaves. Objects under providers and models are leaves' homes only two levels down; any other object
// at an unknown name is one leaf.
func walk(doc document, path []string, visit func(key string, raw json.RawMessage) error) error {
	for _, m := range doc {
		here := append(lists.Clone(path), m.key)
		inner, isObject := members(m.raw)
		if isObject && group(here) {
			if err := walk(inner, here, visit); err != nil {
				return err
			}
			continue
		}
		if err := visit(strings.Join(here, "."), m.raw); err != nil {
			return err
		}
	}
	return nil
}

// group reports whether settings may stand below a path.
func group(path []string) bool {
	for _, s := range settings {
		name := strings.Split(s.Name, ".")
		if len(name) <= len(path) {
			continue
		}
		fits := true
		for i, p := range path {
			fits = fits && (name[i] == "*" || name[i] == p)
		}
		if fits {
			return true
		}
	}
	return false
}

func from(err error, key, source string) error {
	var v *ValueError
	if !errors.As(err, &v) {
		return err
	}
	return &ValueError{Key: plain(key), From: source, Text: v.Text, Next: v.Next}
}

func (l *layers) environment(env Env) error {
	for _, s := range settings {
		if s.Env == "" {
			continue
		}
		if err := l.check(s.Name, env(s.Env), "env "+s.Env); err != nil {
			return err
		}
	}
	return l.check("providers.openai.base_url", env("OPENAI_BASE_URL"), "env OPENAI_BASE_URL")
}

func (l *layers) check(key, text, source string) error {
	if text == "" {
		return nil
	}
	s, _, err := Find(key)
	if err != nil {
		return err
	}
	if text, err = s.Check(text); err != nil {
		return from(err, key, source)
	}
	l.put(key, text, source)
	return nil
}

func (l *layers) flags(flags map[string]string) error {
	for _, s := range settings {
		text, given := flags[s.Flag]
		if s.Flag == "" || !given {
			continue
		}
		checked, err := s.Check(text)
		if err != nil || text == "" {
			if text == "" {
				err = s.wrong(text, nebula.Say("leave the flag out or give it a value"))
			}
			var v *ValueError
			errors.As(err, &v)
			return &ValueError{Key: "--" + s.Flag, Text: v.Text, Next: v.Next}
		}
		l.put(s.Name, checked, "--"+s.Flag)
	}
	return nil
}

// readFile reads a settings file; one that does not exist is empty. Only regular files are read: a pipe would block.
func readFile(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, &FileError{path, cause(err)}
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &FileError{path, errors.New("not a regular file")}
	}
	if info.Size() > maxFile {
		return nil, 0, &FileError{path, nebula.Errorf("%d bytes is too big for settings", info.Size())}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, &FileError{path, cause(err)}
	}
	return data, info.Mode().Perm(), nil
}

// ProjectFile is where a folder keeps its own settings.
//
//go:noinline
func ProjectFile(dir string) string { return filepath.Join(dir, ".nebula", "config.json") }
