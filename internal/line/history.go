package line

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"nebula"
)

// HistoryFile is where the messages typed in a folder are remembered, under nebula's home.
func HistoryFile(home, dir string) string {
	return filepath.Join(home, "history", nebula.Hash([]byte(dir))[:16]+".jsonl")
}

// historyMax is how many entries are kept when the file is read again.
const historyMax = 1000

// A history is what was typed before, oldest first: one JSON string a line, so that messages of many lines stay whole.
type history struct {
	file    string
	entries []string
	at      int    // the entry that is shown; len(entries) when none is
	draft   string // what was being typed before going back
}

// openHistory reads file; a damaged line is passed over. Without a file nothing is remembered beyond this run.
func openHistory(file string) (*history, error) {
	h := &history{file: file}
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
			h.entries = append(h.entries, entry)
		}
	}
	if extra := len(h.entries) - historyMax; extra > 0 {
		h.entries = h.entries[extra:]
	}
	h.at = len(h.entries)
	return h, lines.Err()
}

// add remembers text, unless it repeats the last entry or begins with a space.
func (h *history) add(text string) error {
	defer func() { h.at, h.draft = len(h.entries), "" }()
	if text == "" || strings.HasPrefix(text, " ") || len(h.entries) > 0 && h.entries[len(h.entries)-1] == text {
		return nil
	}
	h.entries = append(h.entries, text)
	if h.file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	entry, err := json.Marshal(text)
	if err == nil {
		_, err = f.Write(append(entry, '\n'))
	}
	return errors.Join(err, f.Close())
}

// move goes back (-1) or forth (+1) from now, which is what stands in the editor, and returns what to show.
func (h *history) move(by int, now string) (string, bool) {
	to := h.at + by
	if to < 0 || to > len(h.entries) {
		return "", false
	}
	if h.at == len(h.entries) {
		h.draft = now
	}
	h.at = to
	if to == len(h.entries) {
		return h.draft, true
	}
	return h.entries[to], true
}

// find is the newest entry before index that contains query, without regard to case; -1 when there is none.
func (h *history) find(query string, before int) int {
	query = strings.ToLower(query)
	for i := min(before, len(h.entries)) - 1; i >= 0; i-- {
		if strings.Contains(strings.ToLower(h.entries[i]), query) {
			return i
		}
	}
	return -1
}
