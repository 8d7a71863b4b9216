package protocol

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What a deed of consequence needs: beside an edit, words that say nothing of it are how its writer tells of the work; beside
// what deletes, publishes or migrates, words are to say that it is done, or how the work is, and nothing else.

// grave reports whether an action has consequences beyond what is shown of it: it deletes, or a word of its command does.
func grave(a nebula.Action) bool {
	if strings.Contains(strings.ToLower(a.Tool), "delete") {
		return true
	}
	for _, word := range wordFields(textOf(a.Args, `"command":`)) {
		if slices.ContainsFunc(strings.FieldsFunc(word, func(r rune) bool { return !letter(byte(r)) }), func(w string) bool { return lists.Has(consequences, w) }) {
			return true
		}
	}
	return false
}

// mild reports whether an action has no consequences beyond what is shown of it: an edit, or a command that looks, builds or tests. What is
// said beside any other means the same whichever it is.
func mild(a nebula.Action) bool {
	return !grave(a) && (!runs(a) || looks(textOf(a.Args, `"command":`)))
}

// looks reports whether each part of a command begins with a word of one that looks, builds or tests, and none writes into a file itself.
func looks(command string) bool {
	line, _ := strconv.Unquote(`"` + command + `"`)
	for _, part := range strings.FieldsFunc(toNowhere.Replace(cmp.Or(line, command)), func(r rune) bool { return strings.ContainsRune(";&|\n", r) }) {
		words := strings.Fields(part)
		for len(words) > 1 && (strings.Contains(words[0], "=") || lists.Has(leadingWords, words[0])) {
			words = words[1:]
		}
		if len(words) > 0 && (!lists.Has(lookingCommands, path.Base(words[0])) || strings.Contains(part, ">") || slices.ContainsFunc(words, func(w string) bool { return lists.Has(writingWords, w) })) {
			return false
		}
	}
	return true
}

// toNowhere takes out what a command's output goes to that is no file.
var toNowhere = strings.NewReplacer("2>&1", "", "2>/dev/null", "", ">/dev/null", "", "> /dev/null", "", "2> /dev/null", "", "&>/dev/null", "")

var (
	leadingWords    = []string{"time", "env", "nice", "npx", "uv", "poetry", "bundle", "exec", "timeout"}
	lookingCommands = strings.Fields("ls cat head tail less wc grep egrep rg ag find tree stat file du df pwd cd echo printf which type date diff cmp sort uniq cut tr awk jq sed git go cargo npm pnpm yarn make pytest python python3 -m tox nox mypy ruff eslint tsc jest vitest mocha rspec rake gradle gradlew mvn mvnw dotnet ctest cmake ninja meson bazel phpunit swift mix zig true test sleep env uname ps run")
	// writingWords among those of a command make another one of it.
	writingWords = strings.Fields("-i -c -e -delete -exec checkout restore commit merge rebase stash switch branch tag add mv cherry-pick revert install uninstall update upgrade -w -fix --fix --write format fmt tidy tee pull init config rename")
)

// runs reports whether an action runs a command.
//
//go:noinline
func runs(a nebula.Action) bool { return textOf(a.Args, `"command":`) != "" }

// consequences are words of commands that do what files alone do not show.
var consequences = []string{"rm", "rmdir", "unlink", "delete", "del", "remove", "destroy", "drop", "truncate", "purge", "wipe", "shred", "prune", "clean", "reset", "push", "publish", "deploy", "release", "upload", "send", "migrate", "migration", "apply", "down", "kill", "shutdown", "reboot", "dd", "mkfs", "sudo", "force"}

// deletes reports whether one of the actions does away with something by its name.
func (e *ear) deletes() bool { return !e.light() && slices.ContainsFunc(e.actions, removes) }

// removes reports whether an action is a deletion.
func removes(a nebula.Action) bool {
	command := wordFields(textOf(a.Args, `"command":`))
	return strings.Contains(strings.ToLower(a.Tool), "delete") || len(command) > 0 && lists.Has([]string{"rm", "rmdir", "unlink"}, command[0])
}

// preserves reports whether a sentence says, as a clause of its own, that what it points at stays: leave the file where it is.
func (s *sentence) preserves() bool {
	for i, w := range s.words {
		if i > 0 && !s.words[i-1].stop && (!s.words[i-1].is(starters|fillers|selves) || s.words[i-1].text == "to") || !lists.Has(keeping, w.text) && !lists.Has(leaving, w.text) {
			continue
		}
		rest := s.words[i+1:]
		if len(rest) > 1 && rest[0].is(determiners|demonstratives) && !rest[0].stop {
			rest = rest[1:]
		}
		if len(rest) > 0 && lists.Has(preserved, rest[0].text) && (len(rest) == 1 || rest[0].stop || lists.Has(inPlace, rest[1].text)) {
			return true
		}
	}
	return false
}

var (
	// deletesNone says of what it names that it is not deleted, keepsNone that it is.
	deletesNone = &lazy.Pattern{X: `(?i)^(?:please )?(?:we )?(?:never|do not|don['’]t) (?:delete|remove|erase|wipe) |\b(?:must|should|may) (?:never|not) be (?:deleted|removed|erased)\b`}
	keepsNone   = &lazy.Pattern{X: `(?i)^(?:please )?(?:never|do not|don['’]t) (?:keep|retain|preserve) (?:(?:the|any|these|those) )?(?:dead|old|stale|unused|obsolete|outdated)\b`}
	preserved   = []string{"it", "this", "that", "them", "these", "both", "all", "file", "files", "folder", "directory", "data", "table", "branch"}
	inPlace     = []string{"as", "where", "alone", "untouched", "unchanged", "intact", "here", "there", "in", "for", "after"}
)

// unsaid reports whether what is said before a deed of consequence neither says that it is done nor how the work is.
func (e *ear) unsaid(text string) bool {
	list := e.lastSentences(text)
	return !labelled(text) && !slices.ContainsFunc(list, (*sentence).does) && slices.ContainsFunc(list, func(s *sentence) bool { return !e.harmless(list, slices.Index(list, s)) })
}

// harmless reports whether a sentence of some leaves an action beside it as it stands.
func (e *ear) harmless(list []*sentence, i int) bool {
	s := list[i]
	return s.offered || len(s.words) < 3 && !s.japanese || s.japanese && containsAny(s.text, othersJapanese) || strings.ContainsAny(s.text, "?？") || s.stands(clears) || s.stands(affirms) || e.describes(list, i) || !s.japanese && !anyOf(s.words, topics|near|people|persons|readers) && !strings.HasSuffix(s.text, ":")
}
