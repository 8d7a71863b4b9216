package matter_test

import (
	"testing"

	"nebula/internal/matter"
)

// What is not as it was meant is said with its line; what people write in other ways is not.
func TestWhatIsWrongWithAHeadIsSaidWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "f.md: empty, or not UTF-8 text; correct or remove it",
		"a\xff":                            "f.md: empty, or not UTF-8 text; correct or remove it",
		"---\ndescription: x\nbody":        "f.md:1: the head that --- begins here is ended by no ---; correct it there",
		"---\nname: x\ndescription\n---\n": "f.md:3: each line here is a name, : and a value; correct it there",
		"---\n: x\n---\n":                  "f.md:2: each line here is a name, : and a value; correct it there",
		"---\na: 1\nb: \"x\nc: 2\n---\n":   "f.md:3: a quote or bracket that begins here is not closed; correct it there",
		"---\ntools: [a, b\n---\nx":        "f.md:2: a quote or bracket that begins here is not closed; correct it there",
		"body":                             "", "---\nA rule above a text.\n": "", "---\na: it's \"so\nb: |\n  \"x\n\n# no\nc:\n- 'y\n---\nx": "",
		"\ufeff---\r\na: \"x\r\n  y\"\r\nb: [a,\r\n  b]\r\n---": "", "---\n---\nx": "",
	} {
		got := ""
		if err := matter.Flaw("f.md", []byte(text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
