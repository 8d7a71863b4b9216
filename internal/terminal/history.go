package terminal

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// HistoryFile is where the messages typed in a folder are remembered, under nebula's home.
func HistoryFile(home, dir string) string {
	return filepath.Join(home, "history", nebula.Hash([]byte(dir))[:16]+".jsonl")
}

// historyMax is how many entries are kept when the file is read again.
const historyMax = 1000

// A History is what was typed before, oldest first: one JSON string a line, so that messages of many lines stay whole.
type History struct {
	File    string   // where it is kept; empty keeps nothing
	Entries []string // oldest first
	at      int      // the entry that is shown; len(Entries) when none is
	draft   string   // what was being typed before going back
}

// OpenHistory reads file; a damaged line is passed over. Without a file nothing is remembered beyond this run.
func OpenHistory(file string) (*History, error) {
	h := &History{File: file}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) || file == "" {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var entry string
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry != "" {
			h.Entries = append(h.Entries, entry)
		}
	}
	if extra := len(h.Entries) - historyMax; extra > 0 {
		h.Entries = h.Entries[extra:]
	}
	h.at = len(h.Entries)
	return h, lines.Err()
}

// Add remembers text, unless it repeats the last entry or begins with a space. Of a key only the beginning is kept.
func (h *History) Add(text string) error {
	if write := h.Note(text); write != nil {
		return write()
	}
	return nil
}

// Note remembers text in this run as Add does, and gives what puts it on disk, for where that must not wait; nil where
// nothing is to be written.
func (h *History) Note(text string) (write func() error) {
	defer func() { h.at, h.draft = len(h.Entries), "" }()
	text = phrase.Withheld(text)
	if text == "" || strings.HasPrefix(text, " ") || len(h.Entries) > 0 && h.Entries[len(h.Entries)-1] == text {
		return nil
	}
	h.Entries = append(h.Entries, text)
	if h.File == "" {
		return nil
	}
	file := h.File
	return func() error { return keep(file, text) }
}

func keep(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	entry, err := json.Marshal(text)
	if err == nil {
		_, err = f.Write(append(entry, '\n'))
	}
	return errors.Join(err, f.Close())
}

// Move goes back (-1) or forth (+1) from now, which is what stands in the editor, and returns what to show.
//
//go:noinline
func (h *History) Move(by int, now string) (string, bool) {
	to := h.at + by
	if to < 0 || to > len(h.Entries) {
		return "", false
	}
	if h.at == len(h.Entries) {
		h.draft = now
	}
	h.at = to
	if to == len(h.Entries) {
		return h.draft, true
	}
	return h.Entries[to], true
}

// Find is the newest entry before index that contains query, without regard to case; -1 when there is none.
func (h *History) Find(query string, before int) int {
	query = strings.ToLower(query)
	for i := min(before, len(h.Entries)) - 1; i >= 0; i-- {
		if strings.Contains(strings.ToLower(h.Entries[i]), query) {
			return i
		}
	}
	return -1
}
