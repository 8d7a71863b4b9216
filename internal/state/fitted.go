package state

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Expectations that were made to fit: tests that pass since what they expect was changed, which is for the person to know.

var (
	// asserting is a line of a test that can fail it.
	asserting = &lazy.Pattern{X: `^\s*(?:\w+[.:(]+)*(?:assert|expect|require|should|XCTAssert|EXPECT_|CHECK|REQUIRE|is_|ok\()\w*|\bself\.(?:assert|fail)|\bt\.(?:Error|Fatal|Fail)\w*\(|\.(?:should|to)\b|\bassert\w*!?\(`}
	// comparing is a line with what is expected beside what is seen: one of those, a comparison, a row of a table.
	comparing = &lazy.Pattern{X: `[!=]=|(?i:expect|want)|^\s*[{(\[]`}
	remarked  = &lazy.Pattern{X: `^\s*(?:#|//|--|/?\*)`}
	values    = &lazy.Pattern{X: `"[^"]*"|'[^']*'|\x60[^\x60]*\x60|-?\b\d[\w.]*|\b(?:true|false|True|False|None|nil|null|undefined)\b`}
	// ofExpectations are words of a request that asks for that, or of an answer that tells of it.
	ofExpectations = &lazy.Pattern{X: `(?i)\b(?:expect(?:s|ed|ations?)?|assert(?:s|ions?)?|snapshots?|golden|wants?)\b|\b(?:updat|chang|adjust|correct|adapt|relax|weaken|rewr[io]t|edit|modif)\w* (?:\S+ ){0,4}?(?:tests?|specs?|test_\w+|\w+_test\w*)\b|\btest\w* (?:is|was|were|are|itself is|has been|had been) (?:wrong|outdated|incorrect|stale|updated|changed|adjusted|corrected|adapted|rewritten)|期待値|アサー|スナップショット|テスト(?:の\S{0,8})?(?:を|が|も)\S{0,6}(?:更新|変更|修正して|直し|書き換え|間違|古)`}
)

// altered is what was changed in files of tests, after one more change: what came and went again is no change.
func (e Evidence) altered(p patched) []patched {
	list := lists.Clone(e.Tested)
	i := slices.IndexFunc(list, func(o patched) bool { return o.path == p.path })
	if i < 0 {
		return append(list, p)
	}
	gone, come := append(lists.Clone(list[i].gone), p.gone...), append(lists.Clone(list[i].come), p.come...)
	for n := 0; n < len(gone); n++ {
		if at := slices.Index(come, gone[n]); at >= 0 {
			gone, come = lists.Delete(gone, n, n+1), lists.Delete(come, at, at+1)
			n--
		}
	}
	list[i].come, list[i].gone = come, gone
	return list
}

// fits reports whether a file of tests has fewer assertions, or expects other values.
func (p patched) fits(asks string) bool {
	count := func(lines, others []string) (n int) {
		for _, l := range lines {
			if asserts(l) && !lists.Has(others, l) {
				n++
			}
		}
		return n
	}
	return count(p.gone, p.come) > count(p.come, p.gone) || p.otherValues(asks)
}

func asserts(line string) bool {
	return asserting.In(line) && !remarked.In(line)
}

// otherValues reports whether a line of a test compares with other values than it did, of which the request names none.
func (p patched) otherValues(asks string) bool {
	for _, l := range p.gone {
		if !asserts(l) && !comparing.In(l) {
			continue
		}
		shape, had := values.For(l).ReplaceAllString(l, "\x00"), values.For(l).FindAllString(l, -1)
		for _, now := range p.come {
			if now == l || values.For(now).ReplaceAllString(now, "\x00") != shape {
				continue
			}
			for i, v := range values.For(now).FindAllString(now, -1) {
				if v != had[i] && !strings.Contains(asks, strings.Trim(v, "\"'`")) {
					return true
				}
			}
		}
	}
	return false
}

// MadeToFit is a file of tests whose expectations were changed where an answer tells of tests that pass and not of that, and the request did
// not ask for it either: it neither speaks of expectations nor names a value that came; empty where there is none.
func (e Evidence) MadeToFit(asks, say string) string {
	if len(e.Tested) == 0 || !TellsOfTests(say) || ofExpectations.In(asks) || ofExpectations.In(say) {
		return ""
	}
	for _, p := range slices.Backward(e.Tested) {
		if !tellsOfLeaving(say, path.Base(p.path)) && p.fits(asks) {
			return p.path
		}
	}
	return ""
}
