package state_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/state"
)

// Who is asked for a look, and for nothing else, changes nothing; what is asked for beside it, or by another message, may be done.
func TestWhoIsAskedForALookChangesNothing(t *testing.T) {
	held := func(messages string) bool {
		s := state.New()
		for n, text := range strings.Split(messages, "|") {
			s.Apply(nebula.Event{Body: nebula.Submitted{Turn: n + 1, Text: text}})
		}
		return s.Barred(nebula.Target{Path: "main.py", Kind: "edit"}) != ""
	}
	for _, said := range []string{
		"Only explain main.py.", "Just explain main.py.", "Please only explain main.py", "Only describe what main.py does.", "Just review main.py, please.", "Just a review of main.py.", "I only want an explanation of main.py.",
		"I just want you to explain the bug in main.py", "Only tell me what is wrong.", "Just tell me why the tests fail.", "Simply summarize main.py", "Only an explanation, please.", "You should only review it.",
		"Nothing but an explanation.", "Nothing more than a summary, please.", "Explain main.py, nothing else.", "Explain main.py and nothing more.", "Review only.", "Explanation only, please", "Merely describe the design.", "Just show me where the bug is.",
		"The tests fail. Only explain why.", "Only explain how to fix main.py.", "Just explain the change in main.py.", "Only find the bug.", "Only look at main.py", "For now only explain it.",
		"Hands off the files.", "Hands off the code!", "Explain it. Keep your hands off my files.", "Fingers off everything.", "Stay away from the files.", "Look at the bug, but hands off the code.",
		"Rename foo to bar everywhere but in main.py.", "Fix the typo everywhere except in main.py", "Change every file but main.py", "Fix all files save main.py.", "Format all files with the exception of main.py", "Rename it in all files other than main.py.", "Update everything aside from main.py.",
	} {
		if !held(said) {
			t.Errorf("free: %s", said)
		}
	}
	for _, said := range []string{
		"Explain main.py.", "Only explain main.py.|Now fix it.", "Just explain the bug, then fix it.", "Only tell me about it. Then fix main.py.", "Just fix it.", "Only fix the bug.", "Explain the bug and fix it.", "Find the bug and then repair it.",
		"Just look at main.py and add a test.", "Explain why only main.py fails.", "Review main.py. Fix what you find.", "Just tell me when it is fixed; fix main.py now.", "He says: only explain main.py.", "Can you only explain it?", "Find the only caller and rename it.",
		"Just make it work. Only tell me the result.", "Keep your hands off b.py.", "Everywhere but in b.py, rename foo to bar.", "Implement it. Only report what failed.", "The docs only describe main.py; update them.",
		"Change main.py, but not the files in vendor.", "Write a script that only lists files.", "Add a flag --only to list files.", "Only list files with that flag set; add it.",
	} {
		if held(said) {
			t.Errorf("held: %s", said)
		}
	}
}

// What forbids changes of files holds what a project ignores as well, but what programs leave behind where they run.
func TestIgnoredFilesAreFiles(t *testing.T) {
	for _, said := range []string{"Explain it. Don't change any files.", "Only change main.py."} {
		s := state.New()
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: said}})
		for path, held := range map[string]bool{".env.local": true, "data/app.sqlite": true, "notes/todo": true, "__pycache__/a.pyc": false, "target/debug/a.d": false, "app.log": false, ".pytest_cache/v": false, "coverage/a.html": false} {
			if (s.Barred(nebula.Target{Path: path, Kind: "edit", Ignored: true}) != "") != held {
				t.Errorf("%s: %s", said, path)
			}
		}
	}
}
