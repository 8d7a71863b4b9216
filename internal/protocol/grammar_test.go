package protocol

import (
	"strings"
	"testing"

	"nebula/internal/lists"
)

// What decides is who acts, and in which mood, not the verb: each of these holds for every verb of its kind.
var moods = map[verbKind]struct{ meant, shown string }{
	works: {
		"I'll V it:|I will V it now:|Let me V it:|I'm VING it:|VING it:|V the file:|Now I V it:|To get on I V it:|I need to V it:|So I V it:|It is stale, so I'm VING it:|Next, V the file:|The next step is to V it:|Once it is there I can go on. VING it:",
		"I won't V this:|I would V it:|I could V it:|I did not V it:|You could V it:|If you agree I'll V it:|Unless you object I'll V it:|Should I V it?|Anna wants to V it so:|They VED it with|The script VED it:|Never V this:|Don't V this:|We must not V this:|It might V it:|VING it is spelled",
	},
	reports:   {"", "I'll V it:|Let me V it:|I'm VING it:|Let me V what the page has:"},
	withholds: {"", "I V this:|I'll V this:|I'm VING this:|Let me V this:|VING this:"},
	waits:     {"", "I'll V you first:|I'm VING you about this:|Let me V you:"},
}

func TestWhoActsAndInWhichMoodDecides(t *testing.T) {
	for kind, m := range moods {
		for verb := range strings.SplitSeq(verbs[kind], ",") {
			if lists.Has([]string{"do", "get", "go", "be"}, verb) {
				continue
			}
			inflect := strings.NewReplacer("VING", formOfVerb(verb, going), "VED", formOfVerb(verb, before), "V", verb)
			for text, want := range map[string]bool{m.meant: false, m.shown: true} {
				for line := range strings.SplitSeq(text, "|") {
					line = inflect.Replace(line)
					line = strings.ToUpper(line[:min(1, len(line))]) + line[min(1, len(line)):]
					if got := newEar().doubted(line + "\n"); line != "" && got != want {
						t.Errorf("%q: %v", line, got)
					}
				}
			}
		}
	}
}

// formOfVerb is a form of a verb as English writes most of them.
func formOfVerb(verb string, t tense) string {
	stem := verb
	if last := len(verb) - 1; verb[last] == 'e' {
		stem = verb[:last]
	} else if !strings.ContainsAny(verb[last:], "aeiouwxy") && strings.Count(verb, "")-1 <= 4 && strings.ContainsAny(verb[last-1:last], "aeiou") && !strings.ContainsAny(verb[last-2:last-1], "aeiou") {
		stem = verb + verb[last:]
	}
	if t == going {
		return stem + "ing"
	}
	if strings.HasSuffix(stem, "y") && !strings.ContainsAny(stem[len(stem)-2:len(stem)-1], "aeiou") {
		return stem[:len(stem)-1] + "ied"
	}
	return stem + "ed"
}
