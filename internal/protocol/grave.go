package protocol

import (
	"slices"
	"strings"

	"nebula"
)

// What a deed of consequence needs: beside an edit, words that say nothing of it are how its writer tells of the work; beside
// what deletes, publishes or migrates, words are to say that it is done, or how the work is, and nothing else.

// grave reports whether an action has consequences beyond what is shown of it: it deletes, or a word of its command does.
func grave(a nebula.Action) bool {
	if strings.Contains(strings.ToLower(a.Tool), "delete") {
		return true
	}
	for _, word := range wordFields(textOf(a.Args, `"command":`)) {
		if slices.ContainsFunc(strings.FieldsFunc(word, func(r rune) bool { return !letter(byte(r)) }), func(w string) bool { return has(consequences, w) }) {
			return true
		}
	}
	return false
}

// runs reports whether an action runs a command.
func runs(a nebula.Action) bool { return textOf(a.Args, `"command":`) != "" }

// consequences are words of commands that do what files alone do not show.
var consequences = []string{"rm", "rmdir", "unlink", "delete", "del", "remove", "destroy", "drop", "truncate", "purge", "wipe", "shred", "prune", "clean", "reset", "push", "publish", "deploy", "release", "upload", "send", "migrate", "migration", "apply", "down", "kill", "shutdown", "reboot", "dd", "mkfs", "sudo", "force"}

// unsaid reports whether what is said before a deed of consequence neither says that it is done nor how the work is.
func (e *ear) unsaid(text string) bool {
	list := e.lastSentences(text)
	return !slices.ContainsFunc(list, (*sentence).does) && slices.ContainsFunc(list, func(s *sentence) bool { return !e.harmless(list, slices.Index(list, s)) })
}

// harmless reports whether a sentence of some leaves an action beside it as it stands.
func (e *ear) harmless(list []*sentence, i int) bool {
	s := list[i]
	return s.offered || len(s.words) < 3 && !s.japanese || s.japanese && containsAny(s.text, othersJapanese) || strings.ContainsAny(s.text, "?？") || s.stands(clears) || s.stands(affirms) || e.describes(list, i) || !s.japanese && !anyOf(s.words, topics|near|people|persons|readers) && !strings.HasSuffix(s.text, ":")
}
