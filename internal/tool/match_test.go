package tool

import (
	"strings"
	"testing"

	"nebula"
)

const sample = "package a\n\nfunc f() {\n\tif x {\n\t\treturn 1  \n\t}\n\treturn 2\n}\n\nfunc g() {\n\treturn\n}\n"

const (
	mainPy   = "def main():\n    x = 1\n    return x\n"
	indented = "def main():\n    x = 2\n    return x\n"
)

func TestEditsFindTheirPlace(t *testing.T) {
	tests := []struct {
		name, text string
		edits      []replacement
		want       string // or "!" and a part of the mistake
	}{
		{"a word", "one two three\n", []replacement{{Old: "two", New: "2"}}, "one 2 three\n"},
		{"a line", sample, []replacement{{Old: "\treturn 2\n", New: "\treturn 3\n"}}, strings.Replace(sample, "return 2", "return 3", 1)},
		{"several, in any order", "a\nb\nc\n", []replacement{{Old: "c", New: "C"}, {Old: "a", New: "A"}}, "A\nb\nC\n"},
		{"a line taken out", "a\nb\nc\n", []replacement{{Old: "b", New: ""}}, "a\nc\n"},
		{"a word taken out", "a b c\n", []replacement{{Old: " b", New: ""}}, "a c\n"},
		{"the last line taken out", "a\nb", []replacement{{Old: "b", New: ""}}, "a\n"},
		{"a line with its ending taken out", "a\nb\nc\n", []replacement{{Old: "b\n", New: ""}}, "a\nc\n"},
		{"text added", "a\nc\n", []replacement{{Old: "a\n", New: "a\nb\n"}}, "a\nb\nc\n"},
		{"at the end without ending", "a\nb", []replacement{{Old: "b\n", New: "c\n"}}, "a\nc"},

		{"white space at line ends of the file", sample, []replacement{{Old: "\tif x {\n\t\treturn 1\n\t}", New: "\tif y {\n\t}"}}, strings.Replace(sample, "\tif x {\n\t\treturn 1  \n\t}", "\tif y {\n\t}", 1)},
		{"white space at line ends of the edit", "a\nb\nc\n", []replacement{{Old: "a  \nb\t", New: "x"}}, "x\nc\n"},
		{"blanks for a tab", "\tint\tc = a - b;\t// both\n\tint\td;\n", []replacement{{Old: "\tint    c = a - b;    // both\n", New: "\tint    c = a + b;    // both\n"}}, "\tint\tc = a + b;\t// both\n\tint\td;\n"},
		{"blanks for all tabs", "\tint\tc = a - b;\t// both\n\tint\td;\n", []replacement{{Old: "    int    c = a - b;    // both\n    int d;", New: "    int    c = a - b;    // both\n    int e;\n    int d;"}}, "\tint\tc = a - b;\t// both\n\tint e;\n\tint\td;\n"},
		{"a tab for blanks", "x  = \"a  b\"\ny = 2\n", []replacement{{Old: "x\t= \"a b\"\n", New: "x\t= \"a b\" + y\n"}}, "x  = \"a  b\" + y\ny = 2\n"},
		{"less blanks meant", "x   = 1\n", []replacement{{Old: "x  = 1\n", New: "x = 1\n"}}, "x = 1\n"},
		{"blanks in two places", "x   = 1\nx  = 1\n", []replacement{{Old: "x = 1\n", New: "x = 2\n"}}, "!stands 2 times"},
		{"a blank that is none", "xy = 1\n", []replacement{{Old: "x y = 1\n", New: "x = 2\n"}}, "!nearest"},
		{"blanks within a part of a line", "if (a  ==\tb) { return  1; }\n", []replacement{{Old: "a == b", New: "a != b"}}, "if (a  !=\tb) { return  1; }\n"},
		{"a part of a line, blanks around it", "if (a  == b) { return  1; }\n", []replacement{{Old: " return 1; ", New: " return 2; "}}, "if (a  == b) { return  2; }\n"},
		{"a part of a line, taken out", "f(a,  b, c)\n", []replacement{{Old: "a, b, ", New: ""}}, "f(c)\n"},
		{"blanks within two parts", "f(a,  b) + g(a,   b)\n", []replacement{{Old: "a, b", New: "b, a"}}, "!stands 2 times"},
		{"blanks within a part of words", "max  = 10\n", []replacement{{Old: "x = 1", New: "x = 2"}}, "!is not in"},
		{"blanks within a part that is none", "f(a,b)\n", []replacement{{Old: "a, b", New: "b, a"}}, "!is not in"},
		{"blanks over two lines", "f(a,\n  b)\n", []replacement{{Old: "a, b", New: "b, a"}}, "!is not in"},
		{"indented less", sample, []replacement{{Old: "if x {\n\treturn 1\n}", New: "if y {\n\treturn 0\n}"}}, strings.Replace(sample, "if x {\n\t\treturn 1  ", "if y {\n\t\treturn 0", 1)},
		{"indented more", "a:\n  b\n  c\nd\n", []replacement{{Old: "    a:\n      b\n", New: "    a:\n      B\n"}}, "a:\n  B\n  c\nd\n"},
		{"spaces for tabs", sample, []replacement{{Old: "    if x {\n        return 1\n    }", New: "    if x {\n        return 9\n    }"}}, strings.Replace(sample, "return 1  ", "return 9", 1)},
		{"tabs for spaces", mainPy, []replacement{{Old: "\tx = 1\n\treturn x", New: "\tif y:\n\t\tx = 2\n\treturn x"}}, "def main():\n    if y:\n        x = 2\n    return x\n"},
		{"tabs for two spaces", "a:\n  b:\n    c\n", []replacement{{Old: "a:\n\tb:\n\t\tc", New: "a:\n\tb:\n\t\td"}}, "a:\n  b:\n    d\n"},
		{"tabs for spaces in two places", "  a\n    b\n  a\n    b\n", []replacement{{Old: "\ta\n\t\tb", New: "\tc"}}, "!2 times"},
		{"a dash of another kind", "# one – two\nx\n", []replacement{{Old: "# one - two\n", New: "# one - three\n"}}, "# one – three\nx\n"},
		{"an em dash for a hyphen", "a-b c\n", []replacement{{Old: "a—b c", New: "a—b d"}}, "a-b d\n"},
		{"curly quotes in the file", "said(“it’s on”)\n", []replacement{{Old: "said(\"it's on\")", New: "said(\"it's off\")"}}, "said(“it’s off”)\n"},
		{"curly quotes in the edit, indented", "if x:\n    said('a')\n    y\n", []replacement{{Old: "said(‘a’)\ny", New: "said(‘a’)\nz"}}, "if x:\n    said('a')\n    z\n"},
		{"quotes in two places", "“a”\nx “a”\n", []replacement{{Old: `"a"`, New: `"b"`}}, "!2 times"},
		{"quotes that would be others than the file's", "a = “b”\n", []replacement{{Old: `a = "b"`, New: `a = "b" + "c"`}}, "!is not in"},
		{"the exact quotes win", "“a”\n\"a\"\n", []replacement{{Old: `"a"`, New: `"b"`}}, "“a”\n\"b\"\n"},
		{"old in a fence", "a\nb\nc\n", []replacement{{Old: "```go\na\nb\n```", New: "A\nb"}}, "A\nb\nc\n"},
		{"both in a fence", "f {\n  a\n  b\n}\n", []replacement{{Old: "```\na\nb\n```\n", New: "```\na\nB\n```\n"}}, "f {\n  a\n  B\n}\n"},
		{"a fence that the file has", "x\n```go\na\n```\ny\na\n", []replacement{{Old: "```go\na\n```", New: "```go\nb\n```"}}, "x\n```go\nb\n```\ny\na\n"},
		{"old in a fence, in two places", "a\nb\na\n", []replacement{{Old: "```\na\n```", New: "c"}}, "!2 times"},
		{"line numbers", sample, []replacement{{Old: "  7|\treturn 2\n  8|}\n", New: "  7|\treturn 3\n  8|}\n"}}, strings.Replace(sample, "return 2", "return 3", 1)},
		{"line numbers by cat -n", "a\nb\nc\n", []replacement{{Old: "     2\tb\n     3\tc", New: "B\nC"}}, "a\nB\nC\n"},
		{"blank lines stay blank", "a\n\n\nb\n", []replacement{{Old: "a\n  \n\nb", New: "a\n\nB"}}, "a\n\nB\n"},

		{"numbers, the new side indented", mainPy, []replacement{{Old: "2: x = 1", New: "    x = 2"}}, indented},
		{"numbers and bars, the new side indented", mainPy, []replacement{{Old: "2|x = 1", New: "    x = 2"}}, indented},
		{"numbers and arrows, indentation kept", mainPy, []replacement{{Old: "2→    x = 1", New: "    x = 2"}}, indented},
		{"numbers on both sides", mainPy, []replacement{{Old: "2: x = 1", New: "2: x = 2"}}, indented},
		{"only the new side indented", mainPy, []replacement{{Old: "x = 1", New: "    x = 2"}}, indented},
		{"only the new side indented, lines", mainPy, []replacement{{Old: "x = 1\nreturn x", New: "    x = 2\n    return x"}}, indented},
		{"lines, neither indented", mainPy, []replacement{{Old: "x = 1\nreturn x", New: "x = 2\nreturn x"}}, indented},
		{"deeper where the new side says so", mainPy, []replacement{{Old: "x = 1\nreturn x", New: "if y:\n    x = 1\nreturn x"}}, "def main():\n    if y:\n        x = 1\n    return x\n"},
		{"deeper from the line's own indentation", mainPy, []replacement{{Old: "    x = 1\n", New: "        x = 1\n"}}, "def main():\n        x = 1\n    return x\n"},
		{"a blank within a line", "a = b\n", []replacement{{Old: "= b", New: "  = b"}}, "a   = b\n"},
		{"part of the indentation on both sides", mainPy, []replacement{{Old: "  x = 1", New: "  x = 2"}}, indented},

		{"CRLF in the file", "a\r\nb\r\nc\r\n", []replacement{{Old: "a\nb\n", New: "x\ny\nz\n"}}, "x\r\ny\r\nz\r\nc\r\n"},
		{"CRLF in the file, one line", "a\r\nb\r\nc\r\n", []replacement{{Old: "b", New: "x\ny"}}, "a\r\nx\r\ny\r\nc\r\n"},
		{"CRLF in the file, taken out", "a\r\nb\r\nc\r\n", []replacement{{Old: "b", New: ""}}, "a\r\nc\r\n"},
		{"CRLF in the file, indented", "f\r\n  a\r\n  b\r\n", []replacement{{Old: "a\nb", New: "x\ny"}}, "f\r\n  x\r\n  y\r\n"},
		{"CRLF in the edit", "a\nb\nc\n", []replacement{{Old: "a\r\nb\r\n", New: "x\r\n"}}, "x\nc\n"},
		{"mixed endings stay", "a\r\nb\nc\r\nd\r\n", []replacement{{Old: "c\nd", New: "C\nD"}}, "a\r\nb\nC\r\nD\r\n"},
		{"BOM stays", "\ufeffa\nb\n", []replacement{{Old: "a", New: "x"}}, "\ufeffx\nb\n"},
		{"BOM stays at a tolerant match", "\ufeffa \nb\nc\n", []replacement{{Old: "b  \nc", New: "x"}}, "\ufeffa \nx\n"},
		{"Japanese", "こんにちは、世界。\nさようなら\n", []replacement{{Old: "世界", New: "みなさん"}}, "こんにちは、みなさん。\nさようなら\n"},
		{"bytes that are no UTF-8", "a\xff\xfe\nb\n", []replacement{{Old: "b", New: "c"}}, "a\xff\xfe\nc\n"},

		{"ambiguous", "x\ny\nx\n", []replacement{{Old: "x", New: "z"}}, "!2 times in \"f\", at lines 1, 3"},
		{"ambiguous by indentation", "  a\nb\n    a\n", []replacement{{Old: "a  \n", New: "z"}}, "!2 times"},
		{"exact wins over tolerant", "\tx = 1\nx = 1\n", []replacement{{Old: "\tx = 1\n", New: "\tx = 2\n"}}, "\tx = 2\nx = 1\n"},
		{"overlapping occurrences", "aaa\n", []replacement{{Old: "aa", New: "b"}}, "!2 times"},
		{"overlapping edits", "a\nb\nc\n", []replacement{{Old: "a\nb", New: "x"}, {Old: "b\nc", New: "y"}}, "!overlap"},
		{"the same edit twice", "a\nb\n", []replacement{{Old: "a", New: "x"}, {Old: "a", New: "y"}}, "!overlap"},
		{"not found", sample, []replacement{{Old: "func h() {\n\treturn 7\n}", New: "x"}}, "!nearest are lines"},
		{"nothing alike", "a\nb\n", []replacement{{Old: "completely different text", New: "x"}}, "!is not in \"f\""},
		{"other indentation inside", "if x:\n    a\n    b\n", []replacement{{Old: "if x:\n    a\nb", New: "y"}}, "!is not in"},
		{"empty", "a\n", []replacement{{Old: "", New: "x"}}, "!old is empty"},
		{"white space only", "a\n\n\nb\n", []replacement{{Old: "\n\n", New: "x"}}, "!old is empty"},
		{"one of many is wrong", "a\nb\n", []replacement{{Old: "a", New: "x"}, {Old: "zzzz", New: "y"}}, "!old of edit 2"},
		{"an old that another edit makes", "a\nb\n", []replacement{{Old: "a", New: "qqqq"}, {Old: "qqqq", New: "y"}}, "!old of edit 2 is not"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := patched("f", tt.text, tt.edits, stranger{})
			got, err := p.next, p.failed(true)
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

// A listing's numbers on both sides of an edit are none of the file.
func TestNumbersOnBothSidesOfAnEditAreTakenOff(t *testing.T) {
	c := newContent("a.py", "", mainPy, nebula.View{})
	m, err := c.replaced([]byte(mainPy), []replacement{{Old: "2: x = 1", New: "2: x = 2"}}, stranger{})
	if err != nil || string(m.next) != indented {
		t.Errorf("%q, %v", m.next, err)
	}
}

func TestNearestShowsWhatIsThere(t *testing.T) {
	text := strings.Repeat("filler line\n", 50) + "func total(items []Item) (sum int) {\n\tfor _, i := range items {\n" + strings.Repeat("other\n", 50)
	err := patched("f", text, []replacement{{Old: "func total(items []Item) int {\n\tfor _, item := range items {", New: "x"}}, stranger{}).failed(true)
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
			if fence := fencedOld.For(old).FindStringSubmatch(unix(old)); fence != nil && is == squeeze(fence[1]) || keyed.Replace(is) == squeeze(keyed.Replace(old)) {
				continue
			}
			if is != squeeze(old) && !(numbers && strings.Contains(squeeze(bare), is)) {
				t.Fatalf("%q was taken for %q", text[r.start:r.end], old)
			}
		}
		p := patched("f", text, []replacement{{Old: old, New: new}}, stranger{})
		if p.failed(true) != nil {
			return
		}
		next, r := p.next, found[0]
		if !strings.HasPrefix(next, text[:r.start]) || !strings.HasSuffix(next, text[r.end:]) {
			t.Fatalf("%q became %q", text, next)
		}
	})
}

func BenchmarkPatchHugeFile(b *testing.B) {
	text := strings.Repeat("some line of code that is here\n", 200_000) + "\tthe one\n\tand next\n"
	for b.Loop() {
		if err := patched("f", text, []replacement{{Old: "the one\nand next", New: "x"}}, stranger{}).failed(true); err != nil {
			b.Fatal(err)
		}
	}
}
