package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
)

// buffers are an editor's: a file that has none is told as it is on the disk, with the line endings that editors show.
type buffers struct {
	texts map[string]string
	saved []string
	mute  bool // nothing can be saved

	otherwise func(path, text string) (done bool, err error) // what is done in the place of saving

	seeing int // so many times it is asked before it sees what is on the disk
}

func (b *buffers) Text(path string) (string, bool) {
	if b.seeing--; b.seeing == 0 {
		delete(b.texts, path)
	}
	if text, ok := b.texts[path]; ok {
		return text, true
	}
	data, err := os.ReadFile(path)
	return strings.ReplaceAll(strings.TrimPrefix(string(data), bom), "\r\n", "\n"), err == nil
}

func (b *buffers) Save(path, text string) error {
	if b.mute {
		return errors.New("read-only")
	}
	if b.otherwise != nil {
		if done, err := b.otherwise(path, text); done || err != nil {
			return err
		}
	}
	b.saved = append(b.saved, text)
	delete(b.texts, path)
	return os.WriteFile(path, []byte(text), 0o644)
}

// inAnEditor is a file that is older than an editor takes to see a change, in a folder that is open in one.
func inAnEditor(t *testing.T, disk string) (*Dir, *buffers, string) {
	t.Helper()
	d := opened(t)
	lay(t, d, "a.txt", disk)
	at := filepath.Join(d.Path(), "a.txt")
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(at, long, long); err != nil {
		t.Fatal(err)
	}
	b := &buffers{texts: map[string]string{}}
	d.In(b)
	return d, b, at
}

// What stands in the editor is read as it stands there, whatever the editor makes of line endings and the mark before a text.
func TestWhatIsNotSavedIsRead(t *testing.T) {
	for name, c := range map[string]struct{ disk, buffer, want string }{
		"other":        {"one\n", "one\ntwo\n", "one\ntwo\n"},
		"same":         {"one\n", "one\n", "one\n"},
		"endings":      {"one\r\ntwo\r\n", "one\ntwo\n", "one\r\ntwo\r\n"},
		"new endings":  {"one\r\ntwo\r\n", "one\ntwo\nthree\n", "one\r\ntwo\r\nthree\r\n"},
		"kept ones":    {"one\r\ntwo\r\n", "one\r\ntwo\r\nthree\r\n", "one\r\ntwo\r\nthree\r\n"},
		"mark":         {bom + "one\n", "one\ntwo\n", bom + "one\ntwo\n"},
		"mark shown":   {bom + "one\n", bom + "one\n", bom + "one\n"},
		"says nothing": {"one\n", "", "one\n"},
		"begun":        {"", "one\n", "one\n"},
		"no text":      {"\x00\x01", "?", "\x00\x01"},
		"latin":        {"caf\xe9\n", "caf\ufffd\n", "caf\xe9\n"},
	} {
		d, b, at := inAnEditor(t, c.disk)
		b.texts[at] = c.buffer
		data, e, err := d.Shown("a.txt", 0)
		if err != nil || string(data) != c.want || e.Size != int64(len(c.want)) {
			t.Errorf("%s: %q (%d bytes), %v", name, data, e.Size, err)
		}
		if plain, _, _ := d.Read("a.txt", 0); string(plain) != c.disk {
			t.Errorf("%s: on the disk is read %q", name, plain)
		}
	}
}

// A change of what was shown from the editor saves it first, and undo gives it back. What was written in the editor meanwhile, or on the
// disk, is never lost.
func TestAChangeOfWhatIsNotSaved(t *testing.T) {
	shown := func(d *Dir) *nebula.Grant {
		data, _, err := d.Shown("a.txt", 0)
		if err != nil {
			t.Fatal(err)
		}
		return grantedFor(t, nebula.Hash(data), "a.txt")
	}
	d, b, at := inAnEditor(t, "one\n")
	b.texts[at] = "one\ntwo\n"
	c, err := d.Write(t.Context(), shown(d), "a.txt", []byte("1\ntwo\n"))
	if got := content(t, d, "a.txt"); err != nil || got != "1\ntwo\n" || strings.Join(b.saved, "|") != "one\ntwo\n|1\ntwo\n" {
		t.Fatalf("%q, saved %q, %v", got, b.saved, err)
	}
	if _, left, err := d.Restore(t.Context(), granting(t, d, "a.txt"), []nebula.Change{c}); err != nil || len(left) > 0 || content(t, d, "a.txt") != "one\ntwo\n" {
		t.Errorf("taken back it is %q: %v %v", content(t, d, "a.txt"), left, err)
	}

	for name, then := range map[string]func(b *buffers, at string){
		"more is written in the editor":        func(b *buffers, at string) { b.texts[at] = "one\ntwo\nthree\n" },
		"another writes the file":              func(_ *buffers, at string) { _ = os.WriteFile(at, []byte("other\n"), 0o644) },
		"the editor cannot save":               func(b *buffers, _ string) { b.mute = true },
		"it is given up there, another writes": func(b *buffers, at string) { delete(b.texts, at); _ = os.WriteFile(at, []byte("other\n"), 0o644) },
	} {
		d, b, at := inAnEditor(t, "one\n")
		b.texts[at] = "one\ntwo\n"
		g := shown(d)
		then(b, at)
		before, buffer := content(t, d, "a.txt"), b.texts[at]
		if _, err := d.Write(t.Context(), g, "a.txt", []byte("1\ntwo\n")); err == nil || content(t, d, "a.txt") != before || b.texts[at] != buffer {
			t.Errorf("%s: %v, and it is %q and %q", name, err, content(t, d, "a.txt"), b.texts[at])
		}
	}

	d, b, at = inAnEditor(t, "one\n")
	g := shown(d)
	b.texts[at] = "one\ntwo\n"
	if _, err := d.Write(t.Context(), g, "a.txt", []byte("1\n")); !errors.Is(err, ErrStale) || len(b.saved) > 0 {
		t.Errorf("what was written in the editor since is no reason: %v", err)
	}
}

// An editor that did not see a change on the disk yet has the old text, which is not an unsaved one.
func TestWhatAnEditorHasNotSeenYetIsOld(t *testing.T) {
	d, b, at := inAnEditor(t, "one\n")
	if _, _, err := d.Shown("a.txt", 0); err != nil {
		t.Fatal(err)
	}
	b.texts[at] = "one\n"
	long := time.Now().Add(-time.Minute)
	if err := os.WriteFile(at, []byte("two\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(at, long, long); err != nil {
		t.Fatal(err)
	}
	if data, _, _ := d.Shown("a.txt", 0); string(data) != "two\n" {
		t.Errorf("%q", data)
	}

	d, b, at = inAnEditor(t, "one\n")
	b.texts[at] = "zero\n"
	if err := os.WriteFile(at, []byte("two\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.seeing = 2
	if data, _, _ := d.Shown("a.txt", 0); string(data) != "two\n" {
		t.Errorf("what it sees in a moment is not waited for: %q", data)
	}
}

// What an editor makes of a file otherwise than it was asked to is told, and can be taken back: what stood on the disk is not lost.
func TestWhatAnEditorMakesOtherwiseIsTakenBack(t *testing.T) {
	put := func(text string, err error) func(string, string) (bool, error) {
		return func(path, _ string) (bool, error) {
			return true, errors.Join(os.WriteFile(path, []byte(text), 0o644), err)
		}
	}
	gone := func(path, _ string) (bool, error) { return true, os.Remove(path) }
	second := func(then func(string, string) (bool, error)) func(string, string) (bool, error) {
		return func(path, text string) (bool, error) {
			if text == "one\ntwo\n" {
				return false, nil
			}
			return then(path, text)
		}
	}
	for name, c := range map[string]struct {
		otherwise func(string, string) (bool, error)
		want      string // after undo
	}{
		"garbage":             {put("garbage", nil), "one\n"},
		"nothing":             {put("", nil), "one\n"},
		"half, and an error":  {put("on", errors.New("full")), "one\n"},
		"removed":             {gone, "one\n"},
		"garbage behind it":   {second(put("garbage", nil)), "one\ntwo\n"},
		"removed behind it":   {second(gone), "one\ntwo\n"},
		"formatted behind it": {second(put("1\ntwo\n\n", nil)), "one\ntwo\n"},
	} {
		d, b, at := inAnEditor(t, "one\n")
		b.texts[at], b.otherwise = "one\ntwo\n", c.otherwise
		data, _, _ := d.Shown("a.txt", 0)
		made, err := d.Write(t.Context(), grantedFor(t, nebula.Hash(data), "a.txt"), "a.txt", []byte("1\ntwo\n"))
		if err == nil || made.Kind == "" {
			t.Errorf("%s: %v, %+v", name, err, made)
			continue
		}
		b.texts = map[string]string{}
		if _, left, err := d.Restore(t.Context(), granting(t, d, "a.txt"), []nebula.Change{made}); err != nil || len(left) > 0 || content(t, d, "a.txt") != c.want {
			t.Errorf("%s: taken back it is %q: %v %v", name, content(t, d, "a.txt"), left, err)
		}
	}
	d, b, at := inAnEditor(t, "one\n")
	b.texts[at], b.otherwise = "one\ntwo\n", func(string, string) (bool, error) { return true, nil } // nothing is saved
	data, _, _ := d.Shown("a.txt", 0)
	if c, err := d.Write(t.Context(), grantedFor(t, nebula.Hash(data), "a.txt"), "a.txt", []byte("1\n")); err == nil || c.Kind != "" || content(t, d, "a.txt") != "one\n" {
		t.Errorf("%v %+v %q", err, c, content(t, d, "a.txt"))
	}
}
