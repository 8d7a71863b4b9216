package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"nebula"
)

// Set writes one setting into the settings file and leaves the rest of it as it is; an empty text takes the setting
// out. A file that is not JSON is never written over. The new file takes the old one's place whole or not at all.
func (h Home) Set(key, text string) error {
	s, path, err := Find(key)
	if err != nil {
		return err
	}
	if text != "" {
		if text, err = s.Check(text); err != nil {
			return from(err, key, "")
		}
	}
	data, _, err := readFile(h.File())
	if err != nil {
		return err
	}
	doc, err := parseDocument(h.File(), data)
	if err != nil {
		return err
	}
	if text == "" {
		doc, err = doc.set(path, nil)
	} else {
		doc, err = doc.set(path, s.raw(text))
	}
	if err != nil {
		return &ValueError{Key: key, From: h.File(), Text: nebula.Say("%w", err), Next: nebula.Say("correct it in the file")}
	}
	if err := makePrivate(h.Settings); err != nil {
		return err
	}
	return replace(h.File(), doc.text())
}

// SetSection writes what the settings file says under a name that is no setting's, and leaves the rest of it as it is; nil
// takes it out.
func (h Home) SetSection(name string, raw json.RawMessage) error {
	data, _, err := readFile(h.File())
	if err != nil {
		return err
	}
	doc, err := parseDocument(h.File(), data)
	if err != nil {
		return err
	}
	if err := makePrivate(h.Settings); err != nil {
		return err
	}
	return replace(h.File(), doc.with(name, raw).text())
}

// replace writes a file for its owner only: into a new one beside it, to the disk, then over the old name. Where the
// name is a link, what it points to is replaced.
func replace(path string, data []byte) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".config-*.json")
	if err != nil {
		return notWritten(path, err)
	}
	defer func() {
		if err != nil {
			err = notWritten(path, errors.Join(err, os.Remove(tmp.Name())))
		}
	}()
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

//go:noinline
func notWritten(path string, err error) error {
	return &WriteError{path, cause(err)}
}

// A WriteError is a settings file that could not be written. The old one is as it was.
type WriteError struct {
	Path string
	Err  error
}

// Error is the sentence in English.
func (e *WriteError) Error() string { return e.Words().String() }

// Words implements [nebula.Speaker].
func (e *WriteError) Words() nebula.Words {
	return nebula.Say("%s: %w; nothing was changed: free the disk or make the folder writable", e.Path, e.Err)
}

// Unwrap gives what stood in the way.
func (e *WriteError) Unwrap() error { return e.Err }

//go:noinline
func count(text string) int {
	n, _ := strconv.Atoi(text) // checked before
	return n
}

//go:noinline
func amount(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64) // checked before
	return f
}
