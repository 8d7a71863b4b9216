package tool

import (
	"strings"
	"testing"
)

const sample = "package a\n\nfunc f() {\n\tif x {\n\t\treturn 1  \n\t}\n\treturn 2\n}\n\nfunc g() {\n\treturn\n}\n"

func TestEditsFindTheirPlace(t *testing.T) {
	tests := []struct {
		name, text string
		edits      []replacement
		want       string // or "!" and a part of the mistake
	}{
		{"a word", "one two three\n", []replacement{{"two", "2"}}, "one 2 three\n"},
		{"a line", sample, []replacement{{"\treturn 2\n", "\treturn 3\n"}}, strings.Replace(sample, "return 2", "return 3", 1)},
		{"several, in any order", "a\nb\nc\n", []replacement{{"c", "C"}, {"a", "A"}}, "A\nb\nC\n"},
		{"a line taken out", "a\nb\nc\n", []replacement{{"b", ""}}, "a\nc\n"},
		{"a word taken out", "a b c\n", []replacement{{" b", ""}}, "a c\n"},
		{"the last line taken out", "a\nb", []replacement{{"b", ""}}, "a\n"},
		{"a line with its ending taken out", "a\nb\nc\n", []replacement{{"b\n", ""}}, "a\nc\n"},
		{"text added", "a\nc\n", []replacement{{"a\n", "a\nb\n"}}, "a\nb\nc\n"},
		{"at the end without ending", "a\nb", []replacement{{"b\n", "c\n"}}, "a\nc"},

		{"white space at line ends of the file", sample, []replacement{{"\tif x {\n\t\treturn 1\n\t}", "\tif y {\n\t}"}}, strings.Replace(sample, "\tif x {\n\t\treturn 1  \n\t}", "\tif y {\n\t}", 1)},
		{"white space at line ends of the edit", "a\nb\nc\n", []replacement{{"a  \nb\t", "x"}}, "x\nc\n"},
		{"indented less", sample, []replacement{{"if x {\n\treturn 1\n}", "if y {\n\treturn 0\n}"}}, strings.Replace(sample, "if x {\n\t\treturn 1  ", "if y {\n\t\treturn 0", 1)},
		{"indented more", "a:\n  b\n  c\nd\n", []replacement{{"    a:\n      b\n", "    a:\n      B\n"}}, "a:\n  B\n  c\nd\n"},
		{"spaces for tabs", sample, []replacement{{"    if x {\n        return 1\n    }", "    if x {\n        return 9\n    }"}}, strings.Replace(sample, "return 1  ", "return 9", 1)},
		{"line numbers", sample, []replacement{{"  7|\treturn 2\n  8|}\n", "  7|\treturn 3\n  8|}\n"}}, strings.Replace(sample, "return 2", "return 3", 1)},
		{"line numbers by cat -n", "a\nb\nc\n", []replacement{{"     2\tb\n     3\tc", "B\nC"}}, "a\nB\nC\n"},
		{"blank lines stay blank", "a\n\n\nb\n", []replacement{{"a\n  \n\nb", "a\n\nB"}}, "a\n\nB\n"},

		{"CRLF in the file", "a\r\nb\r\nc\r\n", []replacement{{"a\nb\n", "x\ny\nz\n"}}, "x\r\ny\r\nz\r\nc\r\n"},
		{"CRLF in the file, one line", "a\r\nb\r\nc\r\n", []replacement{{"b", "x\ny"}}, "a\r\nx\r\ny\r\nc\r\n"},
		{"CRLF in the file, taken out", "a\r\nb\r\nc\r\n", []replacement{{"b", ""}}, "a\r\nc\r\n"},
		{"CRLF in the file, indented", "f\r\n  a\r\n  b\r\n", []replacement{{"a\nb", "x\ny"}}, "f\r\n  x\r\n  y\r\n"},
		{"CRLF in the edit", "a\nb\nc\n", []replacement{{"a\r\nb\r\n", "x\r\n"}}, "x\nc\n"},
		{"mixed endings stay", "a\r\nb\nc\r\nd\r\n", []replacement{{"c\nd", "C\nD"}}, "a\r\nb\nC\r\nD\r\n"},
		{"BOM stays", "\ufeffa\nb\n", []replacement{{"a", "x"}}, "\ufeffx\nb\n"},
		{"BOM stays at a tolerant match", "\ufeffa \nb\nc\n", []replacement{{"b  \nc", "x"}}, "\ufeffa \nx\n"},
		{"Japanese", "こんにちは、世界。\nさようなら\n", []replacement{{"世界", "みなさん"}}, "こんにちは、みなさん。\nさようなら\n"},
		{"bytes that are no UTF-8", "a\xff\xfe\nb\n", []replacement{{"b", "c"}}, "a\xff\xfe\nc\n"},

		{"ambiguous", "x\ny\nx\n", []replacement{{"x", "z"}}, "!2 times in \"f\", at lines 1, 3"},
		{"ambiguous by indentation", "  a\nb\n    a\n", []replacement{{"a  \n", "z"}}, "!2 times"},
		{"exact wins over tolerant", "\tx = 1\nx = 1\n", []replacement{{"\tx = 1\n", "\tx = 2\n"}}, "\tx = 2\nx = 1\n"},
		{"overlapping occurrences", "aaa\n", []replacement{{"aa", "b"}}, "!2 times"},
		{"overlapping edits", "a\nb\nc\n", []replacement{{"a\nb", "x"}, {"b\nc", "y"}}, "!overlap"},
		{"the same edit twice", "a\nb\n", []replacement{{"a", "x"}, {"a", "y"}}, "!overlap"},
		{"not found", sample, []replacement{{"func h() {\n\treturn 7\n}", "x"}}, "!nearest are lines"},
		{"nothing alike", "a\nb\n", []replacement{{"completely different text", "x"}}, "!is not in \"f\""},
		{"other indentation inside", "if x:\n    a\n    b\n", []replacement{{"if x:\n    a\nb", "y"}}, "!is not in"},
		{"empty", "a\n", []replacement{{"", "x"}}, "!old is empty"},
		{"white space only", "a\n\n\nb\n", []replacement{{"\n\n", "x"}}, "!old is empty"},
		{"one of many is wrong", "a\nb\n", []replacement{{"a", "x"}, {"zzzz", "y"}}, "!old of edit 2"},
		{"an old that another edit makes", "a\nb\n", []replacement{{"a", "qqqq"}, {"qqqq", "y"}}, "!old of edit 2 is not"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, _, err := patched("f", tt.text, tt.edits)
			if part, wrong := strings.CutPrefix(tt.want, "!"); wrong {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%q, %v; want %q", got, err, part)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("got  %q\nwant %q\n%v", got, tt.want, err)
			}
		})
	}
}

func TestNearestShowsWhatIsThere(t *testing.T) {
	text := strings.Repeat("filler line\n", 50) + "func total(items []Item) (sum int) {\n\tfor _, i := range items {\n" + strings.Repeat("other\n", 50)
	_, _, _, err := patched("f", text, []replacement{{"func total(items []Item) int {\n\tfor _, item := range items {", "x"}})
	if err == nil || !strings.Contains(err.Error(), "(sum int)") || !strings.Contains(err.Error(), "lines 50-53") {
		t.Errorf("%v", err)
	}
}

// What an edit does not name stays as it is, byte for byte, whatever the text and the edit are.
func FuzzPatch(f *testing.F) {
	f.Add(sample, "return 2", "return 3")
	f.Add("a\r\nb\nc", "b\nc", "x\n")
	f.Add("\ta\n\tb\n", "  a\n  b", "c\n\td")
	f.Add("1\n2\n", "1|1\n2|2", "")
	f.Fuzz(func(t *testing.T, text, old, new string) {
		d := newDocument(text)
		if strings.TrimSpace(old) == "" {
			return
		}
		found, _ := d.find(old, new)
		for _, r := range found {
			if r.start < 0 || r.end > len(text) || r.start > r.end {
				t.Fatalf("region %+v of %d bytes", r, len(text))
			}
			squeeze := func(s string) string {
				s, _, _ = strings.Cut(s, "\x00")
				return strings.Join(strings.Fields(s), " ")
			}
			bare, numbers := unnumbered(unix(old))
			is := squeeze(text[r.start:r.end])
			if is != squeeze(old) && !(numbers && strings.Contains(squeeze(bare), is)) {
				t.Fatalf("%q was taken for %q", text[r.start:r.end], old)
			}
		}
		next, _, _, err := patched("f", text, []replacement{{old, new}})
		if err != nil {
			return
		}
		r := found[0]
		if !strings.HasPrefix(next, text[:r.start]) || !strings.HasSuffix(next, text[r.end:]) {
			t.Fatalf("%q became %q", text, next)
		}
	})
}

func BenchmarkPatchHugeFile(b *testing.B) {
	text := strings.Repeat("some line of code that is here\n", 200_000) + "\tthe one\n\tand next\n"
	for b.Loop() {
		if _, _, _, err := patched("f", text, []replacement{{"the one\nand next", "x"}}); err != nil {
			b.Fatal(err)
		}
	}
}
