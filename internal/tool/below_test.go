package tool_test

import (
	"strings"
	"testing"

	"nebula/internal/tool"
)

// A hunk whose header is a line of the file in the place of numbers is meant inside of what that line begins; where it does not
// stand there, or nothing tells which line is meant, it is sent back.
func TestAHunkBelowALineIsInsideOfWhatItBegins(t *testing.T) {
	const was = "def one(a):\n    b = 1\n    return b\n\n\ndef two(a):\n\n    b = 1\n    return b\n\n\nclass C:\n    def three(self):\n        return 1\n\n    def four(self):\n        return 1\n\n\ndef none():\n    pass\n\n\nb = 1\n    b = 1\n"
	two := strings.Replace(was, "def two(a):\n\n    b = 1", "def two(a):\n\n    b = 2", 1)
	four := strings.Replace(was, "four(self):\n        return 1", "four(self):\n        return 2", 1)
	const hunk, inner = "-    b = 1\n+    b = 2\n", "-        return 1\n+        return 2\n"
	for patch, want := range map[string]string{
		"*** Begin Patch\n*** Update File: a.py\n@@ def two(a):\n" + hunk + "     return b\n*** End Patch\n": two,
		"*** Update File: a.py\n@@ def two\n" + hunk:                                                         two,
		"@@ def two(a): @@\n" + hunk:                                                                         two,
		"*** Update File: a.py\n@@ class C:\n@@     def four(self):\n" + inner:                               four,
		"*** Update File: a.py\n@@ def nine(a):\n" + hunk:                                                    "",
		"*** Update File: a.py\n@@ def none():\n" + hunk:                                                     "",
		"*** Update File: a.py\n@@ def\n" + hunk:                                                             "",
		"*** Update File: a.py\n@@\n" + hunk:                                                                 "",
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"a.py": was})
		f.must("readFile", args{"path": "a.py"})
		if want == "" {
			if m := f.mistaken("editFile", args{"path": "a.py", "new_content": patch}); !strings.Contains(m, "<<<<<<< SEARCH") {
				t.Error(m)
			}
			want = was
		} else {
			f.must("editFile", args{"path": "a.py", "new_content": patch})
		}
		if f.text("a.py") != want {
			t.Errorf("%s\nthe file is %q", patch, f.text("a.py"))
		}
	}
}
