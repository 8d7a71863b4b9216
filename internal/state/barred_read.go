package state

import (
	"slices"
	"strings"
	"sync"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A token is a word of a sentence: as a path, in small letters, and the mark that ends it.
type token struct {
	text, low string
	end       byte
}

// marked has the marks of a sentence stand by themselves.
var marked = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("**", "", "・", " ", "—", "; ", " – ", " ; ", " - ", " ; ")
})

func tokens(sentence string) (list []token) {
	for word := range strings.FieldsSeq(marked().Replace(sentence)) {
		if len(list) == 0 && (word == "-" || word == "*" || word == "•") { // an item of a list
			continue
		}
		text := strings.Trim(word, "`'\"“”‘’()[],;:!?")
		end := strings.TrimRight(strings.TrimRight(text, ".,;:!?"), ")]`'\"”’")
		mark := word[len(word)-1]
		if !strings.ContainsRune(".,;:!", rune(mark)) {
			mark = 0
		}
		list = append(list, token{strings.TrimPrefix(end, "./"), strings.ToLower(strings.ReplaceAll(end, "’", "'")), mark})
	}
	return list
}

//go:noinline
func (t token) stop() bool { return t.end != 0 }

// parts reports whether what stands behind the token is another statement.
//
//go:noinline
func (t token) parts() bool { return t.end != 0 && t.end != ',' && t.end != ':' }

func (t token) is(list string) bool { return t.low != "" && strings.Contains(list, " "+t.low+" ") }

// path is the file or folder that a word looks like; empty for none.
func (t token) path() string {
	name := strings.TrimLeft(t.text, "/")
	switch {
	case t.is(bareNames):
		return name
	case !strings.ContainsAny(t.text, "./*") || strings.Trim(t.text, "./*") == "", strings.HasSuffix(t.low, "'s"), strings.Contains(t.text, "://"), t.is(noPaths), numbers.In(t.text):
		return ""
	}
	return name
}

// Words of English sentences that forbid changes or allow them, each list between spaces.
const (
	bareNames = " makefile dockerfile gemfile rakefile license "
	noPaths   = " e.g i.e and/or either/or read/write input/output client/server yes/no on/off n/a w/o "

	barVerbs    = " touch touching change changing modify modifying edit editing alter altering write writing overwrite overwriting rewrite rewriting bump bumping update updating fix fixing patch patching adapt adapting adjust adjusting replace replacing refactor refactoring reformat reformatting format formatting tidy tidying clean cleaning migrate migrating upgrade upgrading correct correcting "
	plainVerbs  = " touch touching change changing modify modifying edit editing alter altering delete deleting remove removing rename renaming move moving "
	goneVerbs   = " delete deleting remove removing rename renaming move moving "
	barDone     = " touched changed modified edited altered written overwritten rewritten bumped updated patched replaced "
	goneDone    = " deleted removed renamed moved "
	nouns       = " change changes edit edits modification modifications update updates touching changing editing modifying write writes "
	refusals    = " never don't dont not without cannot can't mustn't shouldn't mustnt avoid didn't forbidden prohibited refrain nobody stop "
	between     = " ever please even to you dare just want anyone anybody nobody allowed permitted supposed ever from one may must should be "
	speakers    = " you please should must may can will shall and but so also we or to i just however then now again ever sure sorry do would nebula "
	auxiliaries = " must should may can shall will would do also still just simply really "
	addressed   = " please yes always thanks guys folks pls this so and but also then ok okay perhaps "
	subjects    = " the these those that this my our its their most some they it he she all every "
	passed      = " the any my our your of in to at on following these inside within under into anything something everything nothing all file files folder folders directory contents content either both and or nor a other others else code "
	exceptions  = " but except excepting besides than outside excluding beyond barring "
	wholly      = " everything anything everywhere anywhere wherever all files modules places folders "
	depending   = " unless if when without "
	folders     = " folder directory dir and or nor "
	untouched   = " alone untouched unchanged intact unmodified "
	wholes      = " nothing anything everything none any all part parts content contents file files code folder change changes changing editing touching edits modifications modifying "
	works       = " fix fixes change changes changing refactoring refactor patch solution edit edits work task implementation this it that "
	frozen      = " off-limits untouchable taboo frozen read-only readonly untouched unchanged intact sacred no-go "
	stays       = " stay stays remain remains "
	reasons     = " because since if when why whether that while as although "
	changing    = " change edit modify touch alter update fix rewrite delete remove rename add write adapt correct set bump put do make move replace insert append patch refactor adjust implement create clean tidy drop extend migrate convert upgrade raise increase apply overwrite restore revert reformat format simplify shorten improve optimize repair "
)

// barsOf reads what a sentence forbids.
func barsOf(sentence string) (bars []Bar) {
	if asked := strings.TrimSpace(sentence); strings.HasSuffix(asked, "?") || strings.HasSuffix(asked, "？") {
		return nil
	}
	if b, ok := barInJapanese(sentence); ok {
		return []Bar{b}
	}
	list := tokens(sentence)
	for i := range list {
		for _, read := range [...]func([]token, int) (Bar, bool){refused, unchanging, phrased, predicated, kept, only, excepted, mine} {
			b, ok := read(list, i)
			b.Paths, b.Except = plain(b.Paths), plain(b.Except)
			if !b.But {
				b.Paths = plain(withAll(b.Paths))
			}
			if ok && len(b.Paths) > 0 && !slices.ContainsFunc(bars, func(o Bar) bool { return lists.Equal(o.Paths, b.Paths) }) {
				bars = append(bars, b)
			}
		}
	}
	return bars
}

// barInJapanese reads what a Japanese sentence forbids. Its forms are not even made for one in ASCII: at a first message they cost more
// than all else.
func barInJapanese(sentence string) (Bar, bool) {
	if phrase.ASCII(sentence) {
		return Bar{}, false
	}
	for _, form := range japanese {
		if at := form.of.For(sentence).FindStringSubmatchIndex(sentence); at != nil && !(form.leaves && !asksBehind(sentence[at[1]:])) && !partOf.In(sentence[at[3]:]) {
			m := form.of.For(sentence).FindStringSubmatch(sentence)
			return Bar{Paths: plain(withAll(pathsIn(m[1]))), Gone: strings.ContainsAny(m[3], "削消"), But: form.but || m[2] != "" && !form.besides}, true
		}
	}
	return Bar{}, false
}

// aHidden stands for all files whose name begins with a dot.
const aHidden = "*.hidden"

// plain are names without the mark of a folder.
func plain(names []string) (list []string) {
	for _, n := range names {
		if n == aHidden {
			n = ".?*"
		}
		if n = strings.Trim(n, "/"); n != "" {
			list = append(list, n)
		}
	}
	return list
}

// refused reads a verb of changing that is refused: never touch a.go; a.go must not be changed; I don't want a.go to be changed.
func refused(list []token, i int) (b Bar, ok bool) {
	if !list[i].is(refusals) || list[i].parts() && i+1 < len(list) || reports(list, i) || list[i].low == "without" && slices.ContainsFunc(list[begin(list, i):i], func(t token) bool { return t.is(refusals) }) {
		return b, false
	}
	at := i + 1
	for at < len(list) && at < i+6 && list[at].is(between) {
		at++
	}
	for at+2 < len(list) && list[at].is(barVerbs+goneVerbs) && list[at+1].is(" or and nor ") && list[at+2].is(barVerbs+goneVerbs) && !list[at].stop() { // change or delete
		if list[at].is(barVerbs) {
			list = lists.Clone(list)
			list[at+2] = list[at]
		}
		at += 2
	}
	if at >= len(list) {
		if list[i].is(" forbidden prohibited ") {
			b = Bar{Paths: subject(list, i)}
		}
		return b, len(b.Paths) > 0
	}
	switch verb := list[at]; {
	case verb.is(barVerbs+goneVerbs) && i > 1 && list[i-1].is(" must should may shall will can ") && list[begin(list, i)].is(subjects) && !list[i-2].is(works+" you we nebula "):
	case verb.is(barDone+goneDone) && list[at-1].low == "be" && !conditional(list[at+1:]):
		b = Bar{Paths: subject(list, i), Gone: verb.is(goneDone)}
	case verb.is(barVerbs + goneVerbs):
		if b, ok = objectOf(list[at+1:]); !ok && verb.is(plainVerbs) {
			b.Paths, ok = meant(list, at+1)
		}
		if !ok && verb.is(goneVerbs) {
			b.Paths = symbols(list[at+1:])
			ok = len(b.Paths) > 0
		}
		b.Gone = verb.is(goneVerbs)
		return b, ok
	default: // I don't want a.go to be changed
		rest := list[i+1:]
		if n := slices.IndexFunc(rest, token.parts); n >= 0 {
			rest = rest[:n+1]
		}
		if list[at-1].low == "want" && slices.ContainsFunc(rest, func(t token) bool { return t.is(barDone + goneDone + barVerbs + nouns) }) {
			b = Bar{Paths: namesOf(rest)}
		}
	}
	return b, len(b.Paths) > 0
}

// reports reports whether what is refused is what something does: the tests never touch a.go.
func reports(list []token, i int) bool {
	if i == 0 || list[i-1].stop() {
		return false
	}
	switch {
	case ofOthers(list, i):
		return true
	case list[i].is(" not don't dont never ") && tellers(list[:i]):
		return true
	case list[i].low == "not" && list[i-1].is(" did was were is does "):
		return !slices.ContainsFunc(list[i:min(i+3, len(list))], func(t token) bool { return t.is(" to be allowed ") })
	case list[i].is(" didn't "):
		return !slices.ContainsFunc(list[:i], func(t token) bool { return t.is(" rather prefer wish ") })
	}
	return !list[i-1].is(speakers) && list[begin(list, i)].is(subjects) && !list[i].is(" mustn't shouldn't mustnt forbidden prohibited ")
}

// begin is where the statement begins that a token is of.
//
//go:noinline
func begin(list []token, i int) int {
	for i > 0 && !list[i-1].parts() {
		i--
	}
	return i
}

// unchanging reads a noun of changing that is refused: no changes to a.go.
func unchanging(list []token, i int) (b Bar, ok bool) {
	if list[i].low != "no" || i > 0 && !list[i-1].stop() && !list[i-1].is(speakers+" make want with allow ") {
		return b, false
	}
	at := i + 1
	for at < len(list) && list[at].is(" more further other ") {
		at++
	}
	if at < len(list) && list[at].is(nouns) && !finite(list[at+1:]) {
		return objectOf(list[at+1:])
	}
	return b, false
}

// finite reports whether words say how something is, and not what may be.
func finite(list []token) bool {
	i := slices.IndexFunc(list, func(t token) bool { return t.is(" is are was were has have ") })
	return i >= 0 && !slices.ContainsFunc(list[i:], func(t token) bool { return t.is(" allowed permitted wanted to needed ") })
}

// away are the words that keep away from what follows.
var away = []string{"hands off", "fingers off", "out of", "away from", "clear of", "exclude", "skip", "spare"}

// phrased reads what is kept away from: hands off a.go; stay out of vendor/.
func phrased(list []token, i int) (b Bar, ok bool) {
	for _, words := range away {
		first, second, two := strings.Cut(words, " ")
		if list[i].low != first || two && (i+1 >= len(list) || list[i+1].low != second) {
			continue
		}
		at := i + 1
		switch {
		case two && first != "hands" && first != "fingers":
			if i == 0 || !list[i-1].is(" stay keep steer hands fingers ") {
				return b, false
			}
			at++
		case two:
			at++
		case i > 0 && !list[i-1].stop() && !list[i-1].is(speakers):
			return b, false
		}
		if at == len(list) {
			b.Paths = subject(list, i)
			return b, len(b.Paths) > 0
		}
		return objectOf(list[at:])
	}
	return b, false
}

// predicated reads what is said to stay as it is: a.go is off limits; a.go must stay as it is; a.go: read-only.
func predicated(list []token, i int) (b Bar, ok bool) {
	t, from := list[i], begin(list, i)
	off := t.low == "off" && i+1 < len(list) && list[i+1].low == "limits"
	still := t.is(stays) && (t.parts() || i+1 == len(list) || list[i+1].is(untouched+" as the put at ") || list[i+1].is(frozen))
	if !off && !still && !t.is(frozen) || i == 0 {
		return b, false
	}
	for _, w := range list[from:i] {
		if w.is(reasons+refusals+" no longer leave keep was were become ") && w.path() == "" {
			return b, false
		}
	}
	if still && list[i-1].path() == "" && !list[i-1].is(" must should shall to may will ") {
		return b, false
	}
	b.Paths = subject(list, i)
	return b, len(b.Paths) > 0
}

// kept reads what is to be left alone: leave a.go as it is; leave a.go to me; let a.go be.
func kept(list []token, i int) (b Bar, ok bool) {
	if !list[i].is(" leave keep let treat consider ") || slices.ContainsFunc(list[max(begin(list, i), i-3):i], func(t token) bool { return t.is(refusals + " didn't did able how ") }) {
		return b, false
	}
	rest := list[i+1:]
	if !stood(rest) {
		return b, false
	}
	if b, ok = objectOf(rest); !ok {
		b.Paths, ok = meant(list, i+1)
	}
	return b, ok && !b.But
}

// stood reports whether words end by saying that something stays as it is.
func stood(list []token) bool {
	for i, t := range list {
		next := token{}
		if i+1 < len(list) {
			next = list[i+1]
		}
		if t.is(untouched+frozen) || t.low == "as" && next.is(" is it they read-only ") || t.low == "to" && next.low == "me" || t.low == "be" && (i+1 == len(list) || t.stop()) {
			return true
		}
		if t.parts() {
			return false
		}
	}
	return false
}

// only reads what alone may change: only change a.go; only a.go may change; the only file you may change is a.go; nothing outside a.go.
func only(list []token, i int) (b Bar, ok bool) {
	t, rest := list[i], list[i+1:]
	said := list[begin(list, i):i]
	clause := said // what is refused before a comma is another thing: don't edit the code, only write a.md
	for n, t := range said {
		if t.stop() {
			clause = said[n+1:]
		}
	}
	if slices.ContainsFunc(said, func(t token) bool { return t.is(reasons) }) || slices.ContainsFunc(clause, func(t token) bool { return t.is(" never don't dont ") }) {
		return b, false
	}
	var at int
	var next token
	if len(rest) > 0 {
		next = rest[0]
	}
	switch {
	case t.low == "only" && next.is(barVerbs+" work "), t.is(barVerbs) && next.low == "only":
		at = 1
	case t.is(" only solely ") && i > 0 && list[i-1].low == "the" || t.low == "only" && next.is(" file files "):
		at = slices.IndexFunc(rest, func(t token) bool { return t.is(" is are ") }) + 1
		if at == 0 || !slices.ContainsFunc(rest[:at], func(t token) bool { return t.is(barVerbs + " may can allowed ") }) {
			return b, false
		}
	case t.low == "only" && next.path() != "":
		for n, t := range rest { // what follows the statement is another thing: only a.go fails; change what you must
			if t.stop() && (n+1 == len(rest) || rest[n+1].path() == "" && !rest[n+1].is(" and or ")) {
				rest = rest[:n+1]
				break
			}
		}
		if n := slices.IndexFunc(rest, func(t token) bool { return t.low == "by" }); n >= 0 && n+1 < len(rest) && !rest[n+1].is(" you nebula ") {
			return b, false // what something else does
		}
		if !slices.ContainsFunc(rest, func(t token) bool { return t.is(" may can should must is are to ") }) || !slices.ContainsFunc(rest, func(t token) bool { return t.is(barVerbs + barDone) }) {
			return b, false
		}
		at = 0
	case t.is(" restrict limit confine "):
		at = slices.IndexFunc(rest, func(t token) bool { return t.low == "to" }) + 1
		if at == 0 || at > 4 {
			return b, false
		}
	case t.is(" nothing no ") && (next.is(exceptions) || len(rest) > 1 && next.is(" else other file files ") && rest[1].is(exceptions)):
		if !slices.ContainsFunc(list, func(t token) bool { return t.is(barVerbs + barDone) }) || slices.ContainsFunc(rest, func(t token) bool { return t.is(" needs need was were has have ") }) {
			return b, false
		}
		at = 1 + slices.IndexFunc(rest, func(t token) bool { return t.is(exceptions) })
	case t.is(barVerbs) && next.path() != "" && len(rest) > 1 && (rest[1].low == "only" || len(rest) > 3 && rest[1].low == "and" && rest[2].low == "nothing"):
		at = 0
	default:
		return b, false
	}
	b, ok = objectOf(rest[at:])
	b.Paths, b.But = sure(b.Paths), true
	return b, ok && len(b.Paths) > 0
}

// sure are those of some names that are paths for sure, as what alone may change keeps all else from it. Tests are no folder only.
func sure(names []string) (list []string) {
	for _, n := range names {
		switch t := (token{n, strings.ToLower(n), 0}); {
		case t.is(" test tests "):
			list = append(list, n, "*test*")
		case t.path() != "":
			list = append(list, n)
		}
	}
	if lists.Equal(list, []string{"test", "*test*"}) || lists.Equal(list, []string{"tests", "*test*"}) {
		return nil
	}
	return list
}

// objectOf reads what stands behind a verb of changing: paths, with nothing between but small words; or anything but paths.
func objectOf(list []token) (b Bar, ok bool) {
	into := &b.Paths
	for i, t := range list {
		last := i+1 == len(list)
		switch name := t.path(); {
		case name != "":
			*into = append(*into, name)
		case t.is(exceptions):
			if len(b.Paths) > 0 {
				into = &b.Except
				break
			}
			b.But = true
		case t.is(passed):
		case !b.But && into == &b.Paths && !last && list[i+1].is(" folder directory dir "):
			*into = append(*into, t.text+"/")
		case !b.But && into == &b.Paths && (last || t.stop() || list[i+1].is(folders) || list[i+1].is(untouched) || list[i+1].is(" as yet for ")) && !t.is(" it this that them these those yet me now "+depending) && t.text != "":
			*into = append(*into, t.text)
		default:
			return trimmed(b), len(b.Paths) > 0 && !conditional(list[i:])
		}
		oxford := i+2 < len(list) && list[i+1].is(" and or nor ") && list[i+2].path() != "" && (i+3 == len(list) || list[i+2].stop()) // a.go, b.go, and c.go
		another := i+2 < len(list) && !list[i+1].stop() && list[i+2].is(" is are may can you ")                                       // a.go; b.go is free
		if t.stop() && (last || another || list[i+1].path() == "" && (t.parts() || !oxford)) {
			return trimmed(b), len(b.Paths) > 0 && (last || !conditional(list[i+1:]))
		}
	}
	return trimmed(b), len(b.Paths) > 0
}

// trimmed is a bar whose names are without the mark of a folder, where they hold what they call; of what alone may change only sure names count.
//
//go:noinline
func trimmed(b Bar) Bar {
	if b.But {
		b.Paths = sure(b.Paths)
	}
	return b
}

// subject are the paths of the statement that ends before a token, not those of which something else is told: the format of a.go.
func subject(list []token, i int) (names []string) {
	said := list[begin(list, i):i]
	if len(said) > 0 && said[0].is(changing) { // what is ordered before a comma is another thing: fix a.go, b.go must stay
		said = said[1+slices.IndexFunc(said, token.stop):]
	}
	if n := slices.IndexFunc(said, func(t token) bool { return t.path() != "" }); n > 1 && said[n-1].is(" of in by for from ") && !said[n-1].stop() && !said[n-2].is(wholes) {
		return nil
	}
	return namesOf(said)
}

// namesOf are the paths among some words.
var (
	numbers       = &lazy.Pattern{X: `^v?\d+(?:\.[\dx*]+)*$`}
	partOf        = &lazy.Pattern{X: `^の(?:[^みファ編変修更書削中内下配ディ]|書式|フォーマット|形式|中身の)`}
	cited         = &lazy.Pattern{X: `(?i)(\b(?:says|said|reads|wrote|written|states|titled|called)\b[:,]?\s*)(?:"[^"]* [^"]*"|“[^”]* [^”]*”|'[^']* [^']*')`}
	pathsJapanese = &lazy.Pattern{X: `[A-Za-z0-9_@+*-]*(?:[./][A-Za-z0-9_@+*-]+)+/?|[A-Za-z0-9_@+-]+/`}
)
