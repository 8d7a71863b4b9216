package state

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Look is the act of reading files that a bar names.
const Look = "read"

// unreadBars reads which files a sentence forbids to read: don't read secrets.txt; don't even open it.
func unreadBars(sentence string) (bars []Bar) {
	if !mentions(sentence, lookRoots) || strings.HasSuffix(strings.TrimSpace(sentence), "?") || !strings.ContainsAny(sentence, "./*") {
		return nil
	}
	if m := readsOnly.For(sentence).FindStringSubmatch(sentence); m != nil {
		if names := plain(namesOf(tokens(m[1]))); len(names) > 0 {
			return []Bar{{Act: Look, Paths: []string{anything}, Except: names, Of: m[1]}}
		}
	}
	for _, form := range [...]*lazy.Pattern{unread, unreadJapanese} {
		for _, m := range form.For(sentence).FindAllStringSubmatch(sentence, -1) {
			if names := plain(namesOf(tokens(strings.NewReplacer("、", ", ", "と", " ", "や", " ").Replace(strings.Join(m[1:], " "))))); len(names) > 0 {
				bars = append(bars, Bar{Act: Look, Paths: names, Of: strings.Join(names, " ")})
			}
		}
	}
	return bars
}

// readAgain lets go of files that a sentence orders or permits to read.
func (s *State) readAgain(sentence string) {
	if !slices.ContainsFunc(s.barred, func(b Bar) bool { return b.Act == Look }) || !mentions(sentence, lookRoots) {
		return
	}
	if readsAll.In(sentence) {
		s.barred = lists.Drop(lists.Clone(s.barred), func(b Bar) bool { return b.Act == Look && len(b.Except) > 0 })
	}
	for _, m := range append(reads.For(sentence).FindAllStringSubmatch(sentence, -1), readsJapanese.For(sentence).FindAllStringSubmatch(sentence, -1)...) {
		names := plain(namesOf(tokens(m[1])))
		s.barred = lists.Clone(s.barred)
		for i, b := range s.barred {
			if b.Act == Look && len(b.Except) > 0 {
				s.barred[i].Except = append(slices.Clip(b.Except), names...)
			}
		}
		s.barred = lists.Drop(s.barred, func(b Bar) bool {
			return b.Act == Look && len(b.Except) == 0 && slices.ContainsFunc(names, func(n string) bool {
				return slices.ContainsFunc(b.Paths, func(p string) bool { return called(p, n) || called(n, p) })
			})
		})
	}
}

// Unread is the sentence of the person's that forbids reading a file, or what a word of a command comes to; empty for none.
func (s *State) Unread(t nebula.Target) string {
	for _, b := range slices.Backward(s.bars()) {
		if b.Act == Look && !slices.ContainsFunc(b.Except, func(n string) bool { return called(n, t.Path) || strings.HasPrefix(n, t.Path+"/") }) && t.Path != "." && slices.ContainsFunc(b.Paths, func(n string) bool {
			fits, err := path.Match(path.Base(t.Path), path.Base(n))
			return called(n, t.Path) || t.Named != "" && called(n, t.Named) || err == nil && fits && (!strings.HasPrefix(n, "/") || strings.ContainsAny(t.Path, "*?[")) && strings.Trim(t.Path, "*?./") != ""
		}) {
			return b.Words
		}
	}
	return ""
}

// UnreadIn is the sentence that forbids reading something that lies, or may lie, in a folder or below what a pattern comes to; empty for none.
func (s *State) UnreadIn(folder string) string {
	for _, b := range slices.Backward(s.bars()) {
		if b.Act == Look && slices.ContainsFunc(b.Paths, func(n string) bool { return mayHold(folder, n) }) {
			return b.Words
		}
	}
	return ""
}

// mayHold reports whether what a rule names can lie in a folder.
func mayHold(folder, name string) bool {
	rule, rooted := strings.CutPrefix(strings.ToLower(name), "/")
	if !rooted || folder == "." {
		return true
	}
	parts := strings.Split(rule, "/")
	for n, at := range strings.Split(strings.ToLower(folder), "/") {
		if n == len(parts) || parts[n] == "**" || strings.ContainsAny(at, "*?[") {
			return true
		}
		if is, err := path.Match(parts[n], at); err != nil || !is {
			return false
		}
	}
	return true
}

// Withheld reports whether a file is named as one that is not to be read.
func (s *State) Withheld(file string) bool {
	return slices.ContainsFunc(s.bars(), func(b Bar) bool {
		return b.Act == Look && len(b.Except) == 0 && slices.ContainsFunc(b.Paths, func(n string) bool { return called(n, file) })
	})
}

// HoldsReading reports whether the person forbade to read something.
//
//go:noinline
func (s *State) HoldsReading() bool { return s.ForbidsReading() != "" }

// ForbidsReading is the last sentence that forbids it; empty for none.
func (s *State) ForbidsReading() string {
	for _, b := range slices.Backward(s.bars()) {
		if b.Act == Look {
			return b.Words
		}
	}
	return ""
}

// lookRoots are roots of words for reading.
var lookRoots = strings.Fields("read open look peek inspect view print display dump 閲覧 参照 読 開 見 覗 のぞ")

const lookVerb = `(?:read|open|look(?:ing)? (?:at|into|in|inside)|peek(?:ing)? (?:at|into|in|inside)|inspect|view|print|display|dump|cat)(?:ing)?`

var (
	unread = &lazy.Pattern{X: `(?i)(?:(?:^\W*|[.;!—–,]\s*|\b(?:but|and|please|you|just|so) +)(?:never|don't|do not|dont|must not|mustn't|may not|should not|shouldn't|avoid|not to)|^\W*(?:(?:please|then|now|and|also) )*(?:` + orderVerbs + `|do|make|solve|work|continue|help|` + strings.TrimPrefix(lookVerbs, "(?:") + `\b[^;.!]*?\bwithout) +(?:(?:ever|even|please|to|you|try to) +)*` + lookVerb +
		`(?: (?:or|and|nor) (?:even )?(?:\w+))? +(?:(?:the|my|our|any|anything|files?|contents?|of|in|from|inside|under|what is) +)*(` + wordedPaths + `)(?:,? (?:please|pls|thanks|at all|ever|yet|for now|files?|folder|directory))*(?:\W*$|[,;!]\s| (?:and|but|because|since|as) )`}
	unreadJapanese = &lazy.Pattern{X: `(` + wordedPaths + `)\s*(?:の?(?:ファイル|中身|内容))?(?:は|を|も)+(?:絶対に|決して|勝手に|一切)*(?:読ま|読み込ま|開か|見|覗か|のぞか)(?:ない(?:で|こと)|ずに)|` +
		`(` + wordedPaths + `)\s*(?:の?(?:ファイル|中身|内容))?(?:は|を|も)+(?:絶対に)?(?:(?:読む|読み込む|開く|見る|覗く)な|(?:(?:読ん|読み込ん)で|(?:開い|見|覗い|のぞい)て)は(?:いけ(?:ない|ません)|だめ|ダメ|駄目|なら(?:ない|ません))|(?:閲覧|参照)(?:は|を)?(?:禁止|不可|しないで))(?:です|で|よ)?(?:$|[。、!！])`}
	readsOnly     = &lazy.Pattern{X: `(?i)(?:^\W*|[.;!—–,]\s*|\b(?:but|and|please|so) +)(?:read|open|look at) (?:nothing|no (?:other )?files?) (?:but|except|besides|other than|apart from) (?:the file )?(` + wordedPaths + `)(?:\W*$|[,;!]\s)`}
	readsAll      = &lazy.Pattern{X: `(?i)^\W*(?:(?:please|now|ok|okay|yes|then|and|go ahead and|you (?:may|can)(?: now)?)\W+)*` + lookVerb + ` +(?:any|every|all|the (?:other|rest))`}
	reads         = &lazy.Pattern{X: `(?i)(?:^\W*|[.;!,]\s*)(?:(?:please|now|ok|okay|yes|then|and|go ahead and|you (?:may|can)(?: now)?)\W+)*` + lookVerb + ` +(?:(?:the|file|contents of) +)*(` + wordedPaths + `)`}
	readsJapanese = &lazy.Pattern{X: `(` + wordedPaths + `)\s*(?:の?(?:ファイル|中身|内容))?(?:は|を|も)+(?:読んで|読み込んで|開いて|見て)(?:$|[。、]|ください|も?(?:いい|よい))`}
)

//go:noinline
func namesOf(list []token) (names []string) {
	for _, t := range list {
		if name := t.path(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func pathsIn(text string) (list []string) {
	for _, found := range pathsJapanese.For(text).FindAllString(text, -1) {
		list = append(list, strings.Trim(strings.TrimPrefix(found, "./"), "/"))
	}
	return list
}
