package state

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"nebula/internal/lazy"
)

// What an answer says of all that was asked for, of how many there are, and of that nothing else was done, or nothing at all.

var (
	// bothDone is that both of two things were done, or all of what was asked for.
	bothDone = form(saidOfIt, `both(?: of them| files| bugs| issues| problems| things| tasks)? `+hasBeen+`(?:done|fixed|made|in|solved|resolved|updated|changed|corrected)`+saidEnds+`|`+saidBy+`(?:fixed|did|made|changed|updated|corrected) (?:them )?both(?: of them| files| bugs| issues| tasks| changes)?`+saidEnds)
	bothJa   = form("", `(?:両方|どちら|二つ|2つ|２つ)(?:とも|を|も)*、?\s?(?:直し|修正し|変更し|対応し|完了し)(?:ました|て)`)
	// asItStands stands before a file of a request that is not to be changed.
	asItStands = &lazy.Pattern{X: `(?i)\b(?:like|as|see|from|used|by|with|than|matches|against|touch|leave|keep|except|but|read|not \w+|behaves?|imports?)\s+\S?$`}
	// valued is that a constant has a number now.
	valued  = form("", `\b(?:set|raised|lowered|changed|increased|bumped) (?:\x60(\w+)\x60|(?-i:([A-Z][A-Z_]{2,}))) (?:from \d+ )?to (\d+)\b`)
	valueJa = form("", `(?:\x60(\w+)\x60|(?-i:([A-Z][A-Z_]{2,})))\s?(?:も|を)\s?(\d+)\s?に(?:し|変更し|設定し|修正し|上げ|引き上げ|下げ)ました`)
	// manyFiles, manyTests and manyGone are how many files were changed, tests came and functions went.
	manyFiles = form(saidBy, `(?:changed|edited|updated|modified|touched|fixed|created|added|rewrote) `+saidMany+`(?:source |python |go )?files`+saidEnds)
	manyTests = form(saidBy, `(?:added|wrote|created) `+saidMany+`(?:(?:new|unit|more|regression) )*tests(?: cases)?\b`)
	manyGone  = form(saidBy, `(?:removed|deleted|dropped) `+saidMany+`(?:(?:unused|dead|old|obsolete) )*(?:functions|methods|classes)\b`)
	// onlyFile is that one file alone was changed, noFile that none was.
	onlyFile = form(`^[\s\pP]*`, `only {F} (?:`+hasBeen+`(?:changed|edited|touched|modified)|changed)`+saidEnds+`|^[\s\pP]*(?:I )?(?:only changed|changed only) {F}`+saidEnds+`|^[\s\pP]*{F}\s?(?:だけ|のみ)を?\s?(?:変更|修正|編集)し(?:ました|ています)`)
	noFile   = form(`^[\s\pP]*`, `(?:(?:i|we)(?:['’]ve| have)? (?:changed|edited|modified|touched) (?:nothing|no files?)|nothing (?:was|has been) (?:changed|edited|modified|touched)|no files? (?:was|were|has been|have been) (?:changed|edited|modified|touched))(?:$| at all\b)|^[\s\pP]*(?:(?:何も|ファイルは(?:何も|一切)?|コードは(?:何も|一切)?|一切)\s?(?:変更|編集|修正)(?:して(?:い|おり)ません|しませんでした))$`)
	// wentBack is that something is again as it was before.
	wentBack = form(saidBy, `(?:reverted|restored|undid|undone|rolled back|backed out|took back) (?:it|that|this|them|everything|{F}|(?:the|my|all|that|those)(?: \w+){0,2} (?:changes?|edits?|file|fix|commit))`+workEnds)
	backJa   = form("", `(?:^|[をもはに、]\s?)(?:元に|もとに)戻しました`)
	// manyCases are tests of which one stands for many.
	manyCases  = &lazy.Pattern{X: `(?i)parametri|subtest|\bt\.Run\b|\.each\b|\[\]struct`}
	assertsAny = &lazy.Pattern{X: `(?i)\bassert|\bexpect|\brequire|\bcheck|equal|\bt\.(?:Error|Fatal)`}
	goneBody   = &lazy.Pattern{X: `^-\s*(?:[a-z]+ +)*(?:def|func|function|fn|fun|class|sub) *\(?\w|^-.*(?:\) *\{|=> *\{?)\s*$`}
)

// saidMany is a number above one.
const saidMany = `(?:(?:all|the|these) )*(two|three|four|five|six|seven|eight|nine|ten|\d+) (?:of the )?`

// overall reports whether a sentence says of all or of none that it was done, or of how many, and the record shows otherwise.
func (d Deeds) overall(sentence string, plain func() bool) bool {
	if d.Blind || d.Opaque {
		return false
	}
	if onlyFile.In(sentence) || noFile.In(sentence) {
		only := ""
		if at := onlyFile.For(sentence).FindStringSubmatch(sentence); at != nil {
			only = path.Base(strings.Join(at[1:], ""))
		}
		return !d.still() && slices.ContainsFunc(d.Changed, func(file string) bool { // not what a command left behind
			return path.Base(file) != only && strings.Contains(d.Came, "\x00"+file+"\n")
		})
	}
	if len(d.Touched) == 0 {
		at := wentBack.For(sentence).FindStringIndex(sentence)
		return !d.Answers && len(d.Lines) == 0 && (at != nil && plain() && !held(sentence, at) || backJa.In(sentence) && !heldJa.In(sentence))
	}
	if d.Answers {
		return false
	}
	if at := bothDone.For(sentence).FindStringIndex(sentence); at != nil && !held(sentence, at) || bothJa.In(sentence) && !heldJa.In(sentence) {
		return d.owes() || at != nil && strings.Contains(sentence[at[0]:at[1]], "files") && d.several() < 2
	}
	return d.counts(sentence) || d.values(sentence, plain)
}

// still reports whether every line that came went as well, and as many went.
func (d Deeds) still() bool {
	went := "\n" + d.Went
	n := strings.Count(went, "\n-")
	for line := range strings.SplitSeq(d.Came, "\n") {
		if line != "" && line[0] != 0 {
			if n--; !strings.Contains(went, "\n-"+line+"\n") {
				return false
			}
		}
	}
	return n == 0
}

// owes reports whether the request names two files or more to be changed, and one of them was not.
func (d Deeds) owes() bool {
	var all []string
	left := false
	for _, at := range fileNamed.For(d.Asks).FindAllStringSubmatchIndex(d.Asks, -1) {
		file := d.Asks[at[2]:at[3]]
		if !asItStands.In(d.Asks[:at[0]]) && !testFile(file) && !Prose(file) {
			all, left = latest(all, file), left || d.against("updated", file, true)
		}
	}
	return left && len(all) > 1
}

// counts reports whether a sentence says of how many that they were changed, came or went, and there are fewer.
func (d Deeds) counts(sentence string) bool {
	for i, form := range []*lazy.Pattern{manyFiles, manyTests, manyGone} {
		at := form.For(sentence).FindStringSubmatchIndex(sentence)
		if at == nil || held(sentence, at) || i > 0 && !d.shown() {
			continue
		}
		word := strings.ToLower(sentence[at[2]:at[3]])
		n, _ := strconv.Atoi(word)
		n = max(n, slices.Index(howMany, word))
		came := strings.Split(d.Came, "\n")
		switch i {
		case 0:
			return n > d.several()
		case 1:
			named := matching(testNamed.Re(), came)
			return named > 0 && !manyCases.In(d.Came) && n > max(named, matching(assertsAny.Re(), came))
		}
		return n > matching(goneBody.Re(), strings.Split(d.Went, "\n"))
	}
	return false
}

// several is how many files were touched.
func (d Deeds) several() int {
	var all []string
	for _, file := range d.Touched {
		all = latest(all, file)
	}
	return len(all)
}

// values reports whether a sentence says of a constant that it has a number now, and no line that came has that.
func (d Deeds) values(sentence string, plain func() bool) bool {
	for i, form := range []*lazy.Pattern{valued, valueJa} {
		at := form.For(sentence).FindStringSubmatchIndex(sentence)
		if at == nil || held(sentence, at) || i == 0 && !plain() || !d.shown() {
			continue
		}
		name := sentence[max(at[2], at[4]):max(at[3], at[5])]
		return !strings.Contains(d.Came+d.Went, name) || !strings.Contains(d.Came, sentence[at[6]:at[7]])
	}
	return false
}
