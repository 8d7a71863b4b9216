package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Owed are those of the tests that fail which a step has to mend although they failed before it, as others did that pass by now: it
// names them, or is there to make tests pass, or mends what they test. What it owes by no name of theirs, another step may owe that is
// still to end. What the plan as a whole is for, the step owes that is the last to end.
func Owed(p nebula.Plan, s nebula.PlanStep, failing []string, before ...string) []string {
	all := append(lists.Clone(failing), lists.Drop(lists.Clone(before), func(name string) bool { return lists.Has(failing, name) })...)
	own, more := owes(p, s, all)
	for _, o := range p.Steps {
		if o.ID == s.ID || Over(o.Status) || o.Status == nebula.StageFailed {
			continue
		}
		theirs, maybe := owes(p, o, all)
		more = lists.Drop(lists.Clone(more), func(name string) bool {
			return lists.Has(theirs, name) || lists.Has(maybe, name) && !strings.ContainsAny(name, " :>›") // a file that does not load
		})
	}
	return lists.Drop(lists.Clone(failing), func(name string) bool { return !lists.Has(own, name) && !lists.Has(more, name) })
}

// owes are the tests that a step owes by their own names, and those that it owes by what they are in, or because it owes all.
func owes(p nebula.Plan, s nebula.PlanStep, failing []string) (own, more []string) {
	words := []string{s.Name, s.Description, s.Verify.Command, s.Verify.Person}
	if Last(p, s) {
		words = append(words, p.Name, p.Goal)
	}
	for _, name := range failing {
		in := func(words []string, test string) bool {
			return slices.ContainsFunc(words, func(text string) bool { return names(text, test) })
		}
		switch {
		case in(words, name[strings.IndexAny(name, " :")+1:]):
			own = append(own, name)
		case in(words[:2], name), in(words[3:], name): // that its command runs a file says nothing of each test in it
			more = append(more, name)
		}
	}
	if len(own) == 0 {
		by, rest := repaired(s, words, failing)
		own = by
		if len(more) == 0 {
			more = rest
		}
	}
	if slices.ContainsFunc(words, mends) {
		more = failing
	}
	return own, more
}

// repaired are the tests of what the words of a step set out to mend: of the function, else of the file. A step that is called after
// mending, but not after anything that a test is called after, has to mend all: nobody can tell which.
func repaired(s nebula.PlanStep, words, failing []string) (own, more []string) {
	var objects []string
	for _, text := range words {
		found := lists.Drop(ofRepair.Re().FindAllString(text, -1), ofOther.In)
		objects = append(objects, found...)
		if text == s.Name && slices.ContainsFunc(found, ofAll.In) {
			more = failing
		}
	}
	if len(objects) == 0 {
		return nil, nil
	}
	about := parts(strings.Join(objects, " "))
	shared := func(words []string, of func(test string) []string) []string {
		return lists.Drop(lists.Clone(failing), func(test string) bool {
			return !slices.ContainsFunc(of(test), func(w string) bool { return lists.Has(words, w) })
		})
	}
	if own = shared(about, func(test string) []string { return parts(test[strings.IndexAny(test, " :")+1:]) }); len(own) > 0 {
		return own, nil
	}
	if file := shared(append(about, parts(strings.Join(s.Files, " "))...), parts); len(file) > 0 {
		more = file
	}
	return nil, more
}

// parts are the words that names in a text are made of, without what says of a test that it is one.
func parts(text string) []string {
	found := ofName.Re().FindAllString(text, -1)
	for i, w := range found {
		found[i] = strings.TrimSuffix(strings.ToLower(w), "s")
	}
	return lists.Drop(found, func(w string) bool { return len(w) < 3 || w == "test" || w == "spec" })
}

// Last reports whether every other step of a plan has come to its end.
//
//go:noinline
func Last(p nebula.Plan, s nebula.PlanStep) bool {
	return !slices.ContainsFunc(p.Steps, func(o nebula.PlanStep) bool { return o.ID != s.ID && !Over(o.Status) && o.Status != nebula.StageFailed })
}

// mends reports whether a text is about making tests pass that do not.
func mends(text string) bool {
	return slices.ContainsFunc(ofMending.Re().FindAllString(text, -1), func(found string) bool { return !ofKeeping.In(found) })
}

// RedFirst reports whether a step says that it writes tests that fail as yet.
func RedFirst(s nebula.PlanStep) bool { return ofRedFirst.In(s.Name) || ofRedFirst.In(s.Description) }

var (
	ofRedFirst = &lazy.Pattern{X: `(?i)(?:^\W*|\b(?:writ|add|creat|introduc|start with|begin with)(?:e|es|ing)? )(?:(?:an?|one|some|new|first|unit|small|regression|two|the) ){0,3}(?:failing (?:unit |regression )?(?:tests?|specs?)\b|(?:tests?|specs?)\b[^.;\n]{0,40}?\b(?:that|which) (?:still |should |must |will |currently )?fails?\b)` +
		`|\b(?:tests?|specs?) first\b|(?:失敗|落ち)(?:する|る)[^。\n]{0,8}テスト[^。\n]{0,12}(?:書|作|追加|用意|加え|足)|^失敗するテスト$|先に[^。\n]{0,10}テスト`}
	ofMending = &lazy.Pattern{X: `(?i)\b(?:mak|gett?|turn|bring|hav|see)(?:e|es|ing|s)? [^.;\n]{0,60}\b(?:tests?|specs?|suite)\b[^.;\n]{0,40}\b(?:pass|passes|passing|succeeds?|green|works?)\b` +
		`|\b(?:fix|repair|mend|resolv|debug|address|unbreak)(?:e|es|ed|ing|s)? (?:[\w-]+ ){0,4}(?:tests|specs|suite)\b` +
		`|\b(?:failing|failed|broken|red) (?:[\w-]+ ){0,3}(?:tests?|specs?|suite)\b` +
		`|\b(?:tests?|specs?|suite) (?:that |which |currently )*(?:fails?|failing)\b` +
		`|(?:テスト|試験)[^。\n]{0,20}(?:通す|通る|通ら|通り|パス|成功|直|修正|修復)|(?:失敗|落ち)[^。\n]{0,12}テスト`}
	// ofRepair is what a sentence says of mending; ofOther is that of what no test shows, or that is not to be; ofAll says it of anything.
	ofRepair = &lazy.Pattern{X: `(?i)(?:(?:\bnot|\bnever|\bwithout|n't) (?:\w+ )?)?\b(?:fix|repair|mend|correct|resolv|debug|implement|complet|chang|mak)(?:e|es|ed|d|s|ing)?\b(?:[^.;\n]|\.\w)*` +
		`|[^。\n]*(?:直[さしす]|修正|修復|正しく|実装)[^。\n]*`}
	ofOther = &lazy.Pattern{X: `(?i)^(?:not|never|without|n't) |^\w+ (?:[\w'-]+ ){0,2}(?:typos?|spelling|comments?|docstrings?|docs?|documentation|readme|format\w*|lint\w*|style|whitespace|indent\w*|imports?|links?)\b` +
		`|(?:誤字|脱字|コメント|説明|文書|ドキュメント|書式|docstring|README\S*) ?[をの]?(?:直|修正)|(?:直|修正|修復)(?:さない|しない|さず|せず)`}
	ofAll     = &lazy.Pattern{X: `(?i)^(?:fix|repair|mend|resolv|debug)|直|修正|修復`}
	ofName    = &lazy.Pattern{X: `[A-Z]?[a-z]+|[A-Z]+`}
	ofKeeping = &lazy.Pattern{X: `(?i)\b(?:still|keeps?|keeping|continue|remain|stay|existing)\b|引き続き|既存`}
)

// names reports whether a text names a test: as its runner does, or by the part of that which is the test's own. A part that could be any
// word is not taken for one.
func names(text, test string) bool {
	if stands(text, test) {
		return true
	}
	for _, part := range strings.FieldsFunc(test, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(":/›>.", r) }) {
		low := strings.ToLower(part)
		if (strings.Contains(low, "test") && len(low) > len("tests") || strings.Contains(low, "_")) && stands(text, part) {
			return true
		}
	}
	return false
}

// stands reports whether a word stands in a text by itself.
func stands(text, word string) bool {
	for rest := text; word != ""; {
		before, after, found := strings.Cut(rest, word)
		if !found {
			return false
		}
		prev, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if !inName(prev) && !inName(next) {
			return true
		}
		rest = after
	}
	return false
}

// inName reports whether a character goes on with a name of a program: what is written without spaces does not.
func inName(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
