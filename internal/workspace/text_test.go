package workspace

import (
	"bytes"
	"strings"
	"testing"
)

func TestStyleIsKept(t *testing.T) {
	for _, c := range []struct{ name, old, text, want string }{
		{"lf", "a\nb\n", "a\nc\n", "a\nc\n"},
		{"crlf stays", "a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"},
		{"crlf given as such", "a\r\nb\r\n", "a\r\nc\n", "a\r\nc\r\n"},
		{"lf stays", "a\nb\n", "a\r\nc\r\n", "a\nc\n"},
		{"cr stays", "a\rb\r", "a\nc\n", "a\rc\r"},
		{"bom stays", "\ufeffa\n", "b\n", "\ufeffb\n"},
		{"bom once", "\ufeffa\r\n", "\ufeffb\n", "\ufeffb\r\n"},
		{"no bom comes", "a\n", "\ufeffb\n", "b\n"},
		{"no final ending", "a\r\nb", "a\nc", "a\r\nc"},
		{"one line", "a", "a\nb\n", "a\nb\n"},
		{"empty", "", "a\r\nb\n", "a\r\nb\n"},
		{"stray cr in lf", "10%\r20%\nb\n", "10%\r30%\nb\n", "10%\r30%\nb\n"},
		{"mixed, ends kept", "a\r\nb\nc\r\nd\n", "a\nB\nc\nd\n", "a\r\nB\r\nc\r\nd\n"},
		{"mixed, line added", "a\nb\r\nc\n", "a\nnew\nb\nc\n", "a\nnew\nb\r\nc\n"},
		{"mixed, two edits", "a\nb\r\nc\nd\r\ne\n", "A\nb\nc\nd\nE\n", "A\nb\r\nc\nd\r\nE\n"},
		{"mixed, line gone", "a\r\nb\nc\r\nd\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n"},
	} {
		s, ok := Text([]byte(c.old))
		if out := s.Apply([]byte(c.text)); !ok || string(out) != c.want {
			t.Errorf("%s: %q, want %q", c.name, out, c.want)
		}
	}
}

func TestStyleTellsTextFromOther(t *testing.T) {
	for _, c := range []struct {
		name, data, encoding string
		ok, utf8, final      bool
	}{
		{"ascii", "a\n", "", true, true, true}, {"japanese", "検索", "", true, true, false}, {"empty", "", "", true, true, false},
		{"shift jis", "\x8c\x9f\x8d\xf5\n", "", true, false, true}, {"nul", "a\x00b", "", false, false, false},
		{"utf-16le", "\xff\xfea\x00", "utf-16le", false, false, false}, {"utf-16be", "\xfe\xff\x00a", "utf-16be", false, false, false},
		{"utf-32le", "\xff\xfe\x00\x00a\x00\x00\x00", "utf-32le", false, false, false}, {"late nul", strings.Repeat("a", 9000) + "\x00", "", true, true, false},
	} {
		s, ok := Text([]byte(c.data))
		if ok != c.ok || s.Encoding != c.encoding || s.UTF8 != c.utf8 || s.Final != c.final {
			t.Errorf("%s: %v %+v", c.name, ok, s)
		}
	}
}

func FuzzStyle(f *testing.F) {
	f.Add([]byte("a\r\nb\nc\r\n"), []byte("a\nx\nc\n"))
	f.Add([]byte("\ufeffa\rb"), []byte("a\n"))
	f.Fuzz(func(t *testing.T, old, text []byte) {
		s, ok := Text(old)
		if !ok {
			return
		}
		// What a model is shown is the text without marks and with plain endings: given back, it is the file again.
		if s.Ending != "\r" {
			seen := bytes.ReplaceAll(bytes.TrimPrefix(old, []byte(bom)), []byte("\r\n"), []byte("\n"))
			if out := s.Apply(seen); !bytes.Equal(out, old) && !bytes.HasPrefix(seen, []byte(bom)) && !bytes.Contains(seen, []byte("\r\n")) {
				t.Errorf("%q came back as %q", old, out)
			}
		}
		plain := func(b []byte) string {
			return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(bytes.TrimPrefix(b, []byte(bom))))
		}
		if out := s.Apply(text); plain(out) != plain(text) && !bytes.HasPrefix(bytes.TrimPrefix(text, []byte(bom)), []byte(bom)) && !bytes.Contains(text, []byte("\r\r")) {
			t.Errorf("%q in the style of %q says something else: %q", text, old, out)
		}
	})
}
