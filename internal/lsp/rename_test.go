package lsp

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
)

// What a server knows of a name is renamed, in all files, and what only has the same name stays. A name that is taken is refused.
func TestRealServersRenameWhatANameStandsFor(t *testing.T) {
	for name, c := range map[string]struct {
		files, want    map[string]string
		file, from, to string
		taken          string // another name, which the server refuses; empty where it does not
	}{
		"gopls": {
			files: map[string]string{"go.mod": "module m\n\ngo 1.21\n", "a.go": "package m\n\n// 合計 𝒯 Total\ntype A struct{}\n\nfunc (A) Total() int { return 1 }\n\ntype B struct{}\n\nfunc (B) Total() int { return 2 }\n",
				"sub/b.go": "package sub\n\nimport \"m\"\n\nvar 𝒳, _ = m.A{}.Total(), \"Total\"\nvar _ = m.B{}.Total()\n", "README.md": "Total\n"},
			want: map[string]string{"a.go": "package m\n\n// 合計 𝒯 Total\ntype A struct{}\n\nfunc (A) Sum() int { return 1 }\n\ntype B struct{}\n\nfunc (B) Total() int { return 2 }\n",
				"sub/b.go": "package sub\n\nimport \"m\"\n\nvar 𝒳, _ = m.A{}.Sum(), \"Total\"\nvar _ = m.B{}.Total()\n"},
			file: "a.go", from: "Total() int { return 1", to: "Sum", taken: "func",
		},
		"typescript": {
			files: map[string]string{"tsconfig.json": `{"compilerOptions":{"strict":true}}`, "a.ts": "export function total(n: number) { return n; }\n", "b.ts": "import { total } from \"./a\";\n\nexport const x = { total: total(1) };\n"},
			want:  map[string]string{"a.ts": "export function sum(n: number) { return n; }\n", "b.ts": "import { sum } from \"./a\";\n\nexport const x = { total: sum(1) };\n"},
			file:  "a.ts", from: "total", to: "sum",
		},
		"python": {
			files: map[string]string{"a.py": "def total(n):\n    return n\n\n\nclass C:\n    def total(self):\n        return total(1)\n"},
			want:  map[string]string{"a.py": "def summed(n):\n    return n\n\n\nclass C:\n    def total(self):\n        return summed(1)\n"},
			file:  "a.py", from: "total", to: "summed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, dir := open(t, c.files)
			read := func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, path)) }
			text := []byte(c.files[c.file])
			at := strings.Index(c.files[c.file], c.from)
			all, err := h.Rename(t.Context(), c.file, text, at, c.to, read)
			if err != nil || len(all) != len(c.want) {
				t.Fatalf("%d files, %v", len(all), err)
			}
			for _, e := range all {
				if string(e.After) != c.want[e.Path] || string(e.Before) != c.files[e.Path] {
					t.Errorf("%s is %q", e.Path, e.After)
				}
			}
			if c.taken == "" {
				return
			}
			all, err = h.Rename(t.Context(), c.file, text, at, c.taken, read)
			if m := (*nebula.Mistake)(nil); !errors.As(err, &m) || len(all) != 0 {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
}

func TestEditsThatDoNotFitAreNotMade(t *testing.T) {
	span := func(l1, c1, l2, c2 int) span { return span{position{l1, c1}, position{l2, c2}} }
	for want, edits := range map[string][]textEdit{
		"aé𝒳b\r\nQd\n": {{span(1, 0, 1, 1), "Q"}},
		"aé𝒳Q\r\ncd\n": {{span(0, 4, 0, 5), "Q"}},
		"Qd\n":         {{span(0, 0, 1, 1), "Q"}},
		"QQb\r\ncd\n":  {{span(0, 2, 0, 4), "Q"}, {span(0, 0, 0, 2), "Q"}},
		"":             {{span(0, 0, 2, 0), ""}},
	} {
		if got, ok := applied([]byte("aé𝒳b\r\ncd\n"), edits); !ok || string(got) != want {
			t.Errorf("%v: %q, %v", edits, got, ok)
		}
	}
	for _, edits := range [][]textEdit{{{span(0, 3, 0, 4), "Q"}}, {{span(9, 0, 9, 1), "Q"}}, {{span(0, 0, 0, 99), "Q"}}, {{span(0, 0, 0, 2), "Q"}, {span(0, 1, 0, 2), "Q"}}, {{span(1, 0, 0, 0), "Q"}}, {{span(-1, 0, 0, 0), "Q"}}} {
		if got, ok := applied([]byte("aé𝒳b\r\ncd\n"), edits); ok {
			t.Errorf("%v: %q", edits, got)
		}
	}
}
