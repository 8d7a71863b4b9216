package gate

import (
	"os"
	"strings"
	"testing"

	"nebula"
)

func TestNoReasonIsKept(t *testing.T) {
	for text, want := range map[string]string{
		"no, use tabs":         "use tabs",
		"No: wrong file":       "wrong file",
		"n - later maybe":      "later maybe",
		"いいえ、タブを使って":           "タブを使って",
		"ダメ。別のファイルに":           "別のファイルに",
		"no":                   "",
		"いいえ":                  "",
		"please use patchFile": "please use patchFile",
		"nothing like that":    "nothing like that",
		"noted":                "noted",
	} {
		answer, reason, _ := ReadAnswer(text)
		if answer != nebula.No || reason != want {
			t.Errorf("%q: %s with reason %q, want no with %q", text, answer, reason, want)
		}
	}
}

// Only a yes allows: no other clear answer does, nor what is not clear.
func TestOnlyAYesAllows(t *testing.T) {
	for text, want := range map[string]bool{"yes": true, "always": true, "はい": true, "no": false, "いいえ": false, "no, use tabs": false, "only a.go": false, "maybe": false, "yes?": false, "": false} {
		if Allows(text) != want {
			t.Errorf("%q: allows %v", text, !want)
		}
	}
}

// listed are the lines of a file.
func listed(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// around are ways in which the same answer is typed.
func around(text string) []string {
	return []string{text, " " + text + "  ", strings.ToUpper(text), text + "\n"}
}

func TestAmbiguousAnswersAreNeverAccepted(t *testing.T) {
	lines := listed(t, "testdata/ambiguous.txt")
	if len(lines) < 300 {
		t.Errorf("only %d answers", len(lines))
	}
	for _, line := range lines {
		for _, text := range around(line) {
			if answer, _, clear := ReadAnswer(text); answer != nebula.No {
				t.Errorf("%q is taken for %s (clear: %v)", text, answer, clear)
			}
		}
	}
}

func TestClearAnswersAreReadAsTheyAreMeant(t *testing.T) {
	lines := listed(t, "testdata/clear.txt")
	if len(lines) < 100 {
		t.Errorf("only %d answers", len(lines))
	}
	for _, line := range lines {
		want, said, _ := strings.Cut(line, "\t")
		for _, text := range around(said) {
			if answer, _, clear := ReadAnswer(text); string(answer) != want || !clear {
				t.Errorf("%q is taken for %s (clear: %v), want %s", text, answer, clear, want)
			}
		}
	}
}

// TestHedgesTakeAnAnswerBack puts what takes an answer back before and after every yes.
func TestHedgesTakeAnAnswerBack(t *testing.T) {
	before := []string{"not ", "maybe ", "don't say ", "if so, ", "why ", "たぶん", "まだ", "なぜ"}
	after := []string{" but", " but no", "?", "？", " later", " if it is safe", " except tests", " not", "、でも", "、でもあとで", "？でも", "ではない", "かな", " / no"}
	n := 0
	for _, line := range listed(t, "testdata/clear.txt") {
		want, said, _ := strings.Cut(line, "\t")
		if want == string(nebula.No) {
			continue
		}
		said = strings.TrimRight(strings.TrimSpace(said), ".!。！")
		for _, b := range before {
			n += accepted(t, b+said)
		}
		for _, a := range after {
			n += accepted(t, said+a)
		}
	}
	if n > 0 {
		t.Errorf("%d accepted", n)
	}
}

func accepted(t *testing.T, text string) int {
	if answer, _, _ := ReadAnswer(text); answer != nebula.No {
		t.Errorf("%q is taken for %s", text, answer)
		return 1
	}
	return 0
}
