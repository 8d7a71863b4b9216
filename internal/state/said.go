package state

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What an answer says was done in its turn, against what is known of it. Only a plain word of the answer's own work counts: what is denied,
// planned, told of others or of earlier days is none, and where something was done that cannot be seen into, nothing is held against it.

// Deeds are what is known of what was done.
type Deeds struct {
	Touched    []string                              // files that actions changed, or wrote anew as they were
	Changed    []string                              // files that were changed in this turn
	Lines      []Line                                // what ran
	Tested     bool                                  // something ran that may have run tests
	Asked      bool                                  // the person asked whether they pass
	Counted    bool                                  // tests were counted
	Blind      bool                                  // files may have been changed that nobody saw
	Opaque     bool                                  // something was done that cannot be seen into
	Asks       string                                // the request
	Answers    bool                                  // nothing was asked for but an answer
	Read       func(text string) bool                // whether what was read holds it; nil for nothing
	Stands     func(file string) (there, known bool) // whether a file stands in the folder
	Holds      func(text string) (is, known bool)    // whether one of the files touched has a text in it; nil where nobody looks
	Came       string                                // the lines that came, as [Evidence] has them
	Went       string                                // the lines that went, each behind a "-", and those above them
	Code       func() []string                       // the texts of the files that were touched or read; nil where nobody looks
	Looked     int                                   // one more than how many files were looked at; zero where that cannot be told
	Remembered bool                                  // something was noted for other conversations
	Earlier    func(words *regexp.Regexp) bool       // whether the conversation before holds such words; nil for none
}

// A Line is a command that ran, and whether it ended well.
type Line struct {
	Text string
	OK   bool
}

// programs are what the lines ran, each with its words. Of a line that ended badly the last may be what failed: it counts where trying does.
func (d Deeds) programs(tried bool) (list []string) {
	for _, l := range d.Lines {
		script, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(l.Text), "")
		if err != nil {
			list = append(list, strings.ToLower(l.Text))
			continue
		}
		var of []string
		syntax.Walk(script, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				var words []string
				for _, w := range c.Args {
					words = append(words, strings.ReplaceAll(literal(w), " ", "_"))
				}
				of = append(of, strings.ToLower(strings.Join(words, " ")))
			}
			return true
		})
		if !l.OK && !tried && len(of) > 0 {
			of = of[:len(of)-1]
		}
		list = append(list, of...)
	}
	return list
}

// ran reports whether something ran that these words are of, or that runs what nobody sees.
func (d Deeds) ran(words *regexp.Regexp, tried bool) bool {
	return slices.ContainsFunc(d.programs(tried), func(p string) bool {
		return words.MatchString(p) || script.In(p) && !ofChecking.In(p)
	})
}

var (
	// script is a program that runs others, which are not seen, ofChecking one of them that only checks.
	script     = &lazy.Pattern{X: `^(?:make|just|task|rake|gulp|grunt|(?:npm|pnpm|yarn|bun|uv|poetry|pdm|hatch|npx) run|invoke|(?:ba|z)?sh|source|python[\d.]*|node|ruby|perl)(?: -[^\s-]*[^\sm-]\S*)* [^-\s]|^make$|^\S*\.(?:sh|py|rb|js|pl)\b|^\.{0,2}/`}
	ofChecking = &lazy.Pattern{X: `test|check|spec|lint|build|pytest`}
)

// form is an expression behind what stands before it, with {F} for a file; one that finds nothing, for none.
func form(before, of string) *lazy.Pattern {
	if of == "" {
		return lazy.Never
	}
	return &lazy.Pattern{X: strings.ReplaceAll(`(?i)`+before+`(?:`+of+`)`, "{F}", saidFile)}
}

// claimsShown bounds how many claims are named at once.
const claimsShown = 4

// Unshown is what an answer says was done and that what is known stands against, as it says it; none where there is none.
func (d Deeds) Unshown(say string) (claims []string) {
	fenced, head, above := false, false, ""
	for line := range strings.Lines(say) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if (fenced || len(d.Touched) > 0) && d.inventsRun(line, above) {
			claims = append(claims, strings.TrimSpace(line))
			continue
		}
		if fenced || strings.HasPrefix(strings.TrimSpace(line), ">") {
			continue
		}
		if strings.Trim(line, " \t\r\n`") != "" {
			above = line
		}
		if item := listItem.For(line).FindString(line); item == "" {
			head = listHead.In(strings.TrimSpace(line))
		} else if head && !leftAsIs.In(line) { // what stands above says what was done to it
			line = "changed: " + line[len(item):]
		}
		for _, sentence := range saidParts.For(line).FindAllString(line, -1) {
			sentence = strings.Trim(sentence, " \t\r\n.。!！-*•·✅✓")
			if len(claims) < claimsShown && !lists.Has(claims, sentence) && d.unshown(sentence) && !d.read(sentence) {
				claims = append(claims, sentence)
			}
		}
	}
	return claims
}

// inventsRun reports whether a line of an answer is one of a run of tests, as a runner prints it, where nothing ran that may have printed it, and
// nothing shows that it stood somewhere before: what stands above it says what such a run would look like, or whose it is.
func (d Deeds) inventsRun(line, above string) bool {
	if d.Counted || d.Tested || d.Opaque || !shownRun.In(line) || denies(above) || shownHow.In(above) {
		return false
	}
	if len(d.Touched) == 0 {
		return d.idle() && !shownWhose.In(above) && !d.read(strings.TrimSpace(line))
	}
	ran := slices.ContainsFunc(d.Lines, func(l Line) bool { return Runs(l.Text) })
	return !ran && (d.Read == nil || !d.Read(strings.TrimSpace(line)))
}

// The words of a run of tests as runners print it, of a line above it that shows what one would look like, and of one that says whose it is.
var (
	shownRun   = &lazy.Pattern{X: `(?i)^[=\s]*\d+ (?:passed|passing)\b|^OK \(\d+ tests?|^ran \d+ tests? in |^tests?: +\d+ passed|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))|^test result: ok|^\s*--- PASS: \w`}
	shownHow   = &lazy.Pattern{X: `(?i)\b(?:example|looks?|like|expect\w*|sample|run it|usage|should|would|once)\b|例|ように|はず`}
	shownWhose = &lazy.Pattern{X: `(?i)\b(?:output of|log)\b|ログ`}
)

// idle reports whether nothing was done that may have run tests.
//
//go:noinline
func (d Deeds) idle() bool {
	return d.unrun() && len(d.Touched) == 0
}

// unrun reports whether nothing ran that may have run tests, whatever was changed.
func (d Deeds) unrun() bool { return !d.Counted && !d.Tested && !d.Opaque && len(d.Lines) == 0 }

// read reports whether an answer to a question only repeats what was read for it.
//
//go:noinline
func (d Deeds) read(sentence string) bool { return d.Answers && d.Read != nil && d.Read(sentence) }

// saidParts are the sentences of a line, of which a point within a name is no end.
var saidParts = &lazy.Pattern{X: `(?:[^.。!！;]|[.;!]\S)+(?:[.。!！;]|$)`}

// unshown reports whether a sentence says that something was done that what is known stands against.
func (d Deeds) unshown(sentence string) bool {
	if strings.ContainsAny(sentence, "?？") {
		return false
	}
	if !d.Counted && !d.Tested && !d.Opaque &&
		(TellsOfTests(sentence) && allPass.In(sentence) || d.Asked && saysYes.In(sentence)) && !denies(sentence) {
		return true
	}
	clean := noFailure.For(sentence).ReplaceAllString(sentence, "")
	if d.unrun() && (testsPass.In(clean) || testsMore.In(clean) && !heldMore.In(clean)) && !denies(clean) {
		return true
	}
	if fileGone.In(sentence) && d.stays() {
		return true
	}
	plain := sync.OnceValue(func() bool { return own.In(sentence) })
	if !d.Remembered && !d.Opaque && !slices.ContainsFunc(d.Touched, Prose) && remembers.In(sentence) && toRemember.In(d.Asks) {
		return true
	}
	return d.overall(sentence, plain) || d.looks(sentence, plain) || d.adds(sentence, plain) || d.names(sentence, plain) || d.files(sentence, plain) || !d.Opaque && d.commands(sentence, plain)
}

// stays reports whether the request names files, and each of them stands, untouched.
func (d Deeds) stays() bool {
	files := fileNamed.For(d.Asks).FindAllStringSubmatch(d.Asks, -1)
	return len(files) > 0 && !slices.ContainsFunc(files, func(f []string) bool { return !d.against("gone", f[1], false) })
}

// denies reports whether a sentence has words anywhere with which it says nothing of what was done now.
func denies(sentence string) bool {
	return heldBefore.In(sentence) || heldBehind.In(sentence) || heldJa.In(sentence)
}

// held reports whether what stands around a match makes it no word of what was done.
func held(sentence string, at []int) bool {
	return heldBefore.In(sentence[:at[0]]) || heldBehind.In(sentence[at[1]:]) || heldJa.In(noErrors.For(sentence).ReplaceAllString(sentence, ""))
}

// commands reports whether a sentence says that something was done by a command, and none was run that does it.
func (d Deeds) commands(sentence string, plain func() bool) bool {
	clean := noErrors.For(sentence).ReplaceAllString(sentence, "問題なし")
	for _, s := range sayings() {
		if s.work && d.Answers {
			continue
		}
		at, stands := s.does.For(sentence).FindStringIndex(sentence), false
		if at != nil && !plain() {
			at = nil
		}
		if at == nil {
			at, stands = s.is.For(sentence).FindStringIndex(sentence), true
		}
		ja := at == nil && s.ja.In(clean) && !heldJa.In(clean)
		ja = ja || at == nil && s.more.In(sentence) && !heldMore.In(sentence)
		if !ja && (at == nil || held(sentence, at)) {
			continue
		}
		if d.ran(s.by.Re(), s.tried) || s.by.X == "." && d.Counted || s.tests && d.Tested && len(d.Lines) == 0 || (stands || ja || d.Answers) && d.Earlier != nil && d.Earlier(s.by.Re()) {
			continue
		}
		return true
	}
	return d.named(sentence, plain)
}

// allPass is that tests pass, said of them alone: who reads it in a log says so.
var allPass = &lazy.Pattern{X: `(?i)^[\s\pP\pS]*(?:(?:done|fixed|now|and|so|finally|great news)[:,]? )*(?:all|the|every|\d+)\b[^,:]{0,20}\btests?\b|(?:すべて|全て|全部)の?テスト|テスト(?:は|が|も)?(?:すべて|全て|全部)?(?:通|成功|パス)`}

// AsksOfTests reports whether a message asks whether tests pass, and for nothing else.
func AsksOfTests(text string) bool { return asksOfTests.In(text) }

var (
	asksOfTests = &lazy.Pattern{X: `(?i)^\W*(?:(?:so|and|ok|okay|now|please|can you tell me|tell me|check|could you check|can you check|if|whether)\W+)*(?:(?:do|does|are|is|did|will|would)\b[^.?!\n]{0,30})?(?:the |all |our |my |these )*(?:unit |integration )?tests?(?: suite)?\b[^.?!,\n]{0,20}\b(?:pass(?:es|ing|ed)?|green|ok(?:ay)?|succeed(?:s|ing)?|work(?:s|ing)?|fail(?:s|ing)?|red|broken)\b[^.!\n]{0,30}[.?]?\s*$|^[^。\n]{0,12}テスト[^。\n]{0,12}(?:通|成功|パス|失敗|落ち)[^。\n]{0,12}(?:か|？|\?)[。？?]?\s*$`}
	saysYes     = &lazy.Pattern{X: `(?i)^\W*(?:yes|yep|yeah|no|nope|they (?:do|don't|all|are)|all (?:of them |\d+ )?(?:do|pass|green|are)|everything (?:passes|is green))\b|^\W*(?:はい|いいえ|すべて通|全て通|全部通)`}
)

// namedRun is a command that an answer says it ran, as it wrote it.
var namedRun = &lazy.Pattern{X: "(?i)" + saidBy + "(?:ran|executed) `([^`]+)`"}

// named reports whether a sentence says that a command ran which it writes out, and it did not.
func (d Deeds) named(sentence string, plain func() bool) bool {
	at := namedRun.For(sentence).FindStringSubmatchIndex(sentence)
	if at == nil || !plain() || held(sentence, at) {
		return false
	}
	line := strings.ToLower(sentence[at[2]:at[3]])
	name, rest, _ := strings.Cut(line, " ")
	of, _, _ := strings.Cut(rest, " ")
	return !(d.Counted && RunsTests(line)) && !slices.ContainsFunc(d.programs(true), func(p string) bool {
		return strings.Contains(p, path.Base(name)) && strings.Contains(p, strings.TrimLeft(of, "./"))
	})
}

// files reports whether a sentence says of a file that it was changed, and it was not.
func (d Deeds) files(sentence string, plain func() bool) bool {
	if !fileAtAll.In(sentence) {
		return false
	}
	for _, s := range fileSayings() {
		if d.Answers && s.ends && !s.own {
			continue
		}
		said := s.form.For(sentence).FindAllStringSubmatchIndex(sentence, -1)
		if said == nil || s.own && !plain() || s.more && heldMore.In(sentence) {
			continue
		}
		for _, at := range said {
			if held(sentence, at) || s.ends && !ofFile(sentence, at[1]) || (s.verb == "" || s.verb == "worked") && unmade.In(sentence[at[0]:at[1]]) || s.verb == "worked" && foundThere.In(sentence[at[0]:at[2]]+sentence[at[3]:at[1]]) {
				continue
			}
			verb, list := s.verb, []string{}
			for n := 2; n < len(at); n += 2 {
				switch word := sentence[max(at[n], 0):max(at[n+1], 0)]; {
				case fileNamed.In(word), fileNamed.In(strings.ToLower(word)):
					list = append(list, word)
				case word != "":
					verb = strings.ToLower(word)
				}
			}
			end := at[1]
			for more := fileMore.For(sentence[end:]).FindStringSubmatchIndex(sentence[end:]); more != nil; more = fileMore.For(sentence[end:]).FindStringSubmatchIndex(sentence[end:]) {
				list, end = append(list, sentence[end+more[2]:end+more[3]]), end+more[1]
			}
			if slices.ContainsFunc(list, func(file string) bool { return d.against(verb, file, s.own || verb == "削除" || verb == "消") }) {
				return true
			}
		}
	}
	return false
}

// howMany are words for how many, each at its number.
var howMany = strings.Fields("no one two three four five six seven eight nine ten")

// looks reports whether a sentence says that its writer looked at files, or through all of them, and none were, or fewer.
func (d Deeds) looks(sentence string, plain func() bool) bool {
	if d.Looked == 0 || d.Opaque || strings.Contains(sentence, ".md") || len(d.Lines) > 0 {
		return false
	}
	for _, form := range []*lazy.Pattern{lookedAt, lookedJa} {
		at := form.For(sentence).FindStringSubmatchIndex(sentence)
		if at == nil || form == lookedAt && !plain() || held(sentence, at) {
			continue
		}
		n := 1
		if at[2] >= 0 {
			word := strings.ToLower(sentence[at[2]:at[3]])
			if n, _ = strconv.Atoi(word); n == 0 {
				n = max(2, slices.Index(howMany, word)) // or it is both
			}
		}
		return d.Looked <= n
	}
	return false
}

// adds reports whether a sentence says that something was added, and no file was touched that could hold it.
func (d Deeds) adds(sentence string, plain func() bool) bool {
	for _, s := range addings {
		at := s.form.For(sentence).FindStringIndex(sentence)
		if at != nil && (!s.own || plain()) && !held(sentence, at) && !d.Blind && !d.Opaque && !d.Answers && !slices.ContainsFunc(d.Touched, s.in.In) {
			return true
		}
	}
	return false
}

// unmade is a word for nothing between a file and what is said to be done with it.
var unmade = &lazy.Pattern{X: `(?i)\b(?:not|never|nothing|no|needn['’]t|to be|can|could|may|should|would|will)\b`}

// fileAtAll is what each [saidFile] has.
var fileAtAll = &lazy.Pattern{X: `(?i)\.\S|readme|changelog|LICENSE|Makefile|Dockerfile`}

// ofFile reports whether a sentence, or what it says of a list of files, ends behind one: it is what the sentence is about.
func ofFile(sentence string, end int) bool {
	rest := sentence[end:]
	for more := fileMore.For(rest).FindStringIndex(rest); more != nil; more = fileMore.For(rest).FindStringIndex(rest) {
		rest = rest[more[1]:]
	}
	return fileEnds.In(rest) || fileUses.In(rest)
}

// doneTo is what a word says that was done to a file.
var doneTo = map[string]string{"added": "come", "created": "come", "wrote": "come", "written": "come", "追加": "come", "作成": "come", "作り": "come", "deleted": "gone", "removed": "gone", "removing": "gone", "deleting": "gone", "dropped": "gone", "got rid of": "gone", "gone": "gone", "削除": "gone", "消": "gone",
	"updated": "other", "edited": "other", "modified": "other", "changed": "other", "rewrote": "other", "rewritten": "other", "extended": "other", "adjusted": "other", "documented": "other", "fixed": "other",
	"gelöscht": "gone", "entfernt": "gone", "supprimé": "gone", "删除": "gone", "angelegt": "come", "erstellt": "come", "créé": "come", "创建": "come", "添加": "come",
	"aktualisiert": "other", "geändert": "other", "modifié": "other", "修改": "other", "リファクタリング": "other", "整理": "other", "書き直": "other",
	"更新": "other", "編集": "other", "変更": "other", "修正": "other", "直": "other", "書き換え": "other"}

// against reports whether what is known stands against that something was done with a file. What stands in the folder, or not, counts also
// where files may have been changed that nobody saw.
func (d Deeds) against(verb, file string, own bool) bool {
	if file = path.Clean(file); path.IsAbs(file) || strings.HasPrefix(file, "..") {
		return false
	}
	touched := slices.ContainsFunc(d.Touched, func(t string) bool {
		return t == file || strings.HasSuffix(t, "/"+file) || strings.HasSuffix(file, "/"+t) || !strings.Contains(file, ".") && strings.HasPrefix(strings.ToLower(path.Base(t)), strings.ToLower(file))
	})
	there, known := d.Stands(file)
	switch {
	case touched:
		return false
	case !strings.Contains(file, "."):
		return known && !d.Blind && !d.Opaque
	}
	switch doneTo[verb] {
	case "come":
		return known && !there
	case "gone":
		return known && (there || own && !d.Blind && !d.Opaque && !slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.Contains(l.Text, path.Base(file)) }))
	}
	return known && (!there || !d.Blind && !d.Opaque)
}
