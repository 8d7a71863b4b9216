package redact

import "testing"

// What steers a terminal behind a secret stays whole.
func TestAColouredSecretLeavesItsColourBehind(t *testing.T) {
	long, short := New([]string{"sesame0123456789"}), Redactor{}.Words([]string{"hunter2x"})
	for text, want := range map[string]string{
		"\x1b[31msesame0123456789\x1b[0m b": "\x1b[31m" + Hidden + "\x1b[0m b", "a \x1b[31mhunter2x\x1b[0m b": "a \x1b[31m" + Hidden + "\x1b[0m b",
		"\x1b[31msesame\x1b[0m0123456789\x1b[0m b": "\x1b[31m" + Hidden + "\x1b[0m b",
	} {
		for _, r := range []Redactor{long, short} {
			if got := r.Text(text); got != text && got != want {
				t.Errorf("%q: %q", text, got)
			}
		}
		if long.Text(text) == text && short.Text(text) == text {
			t.Errorf("%q is told", text)
		}
	}
}
