package state

import (
	"maps"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A Bar is a sentence of the person's that forbids changing what it names, or anything but that.
type Bar struct {
	Words  string   // the sentence
	Paths  []string // files, folders and patterns, as they were named
	Except []string // what of them may change all the same
	But    bool     // they alone may change
	Gone   bool     // only deleting and moving them is forbidden
	Old    bool     // only those that stand already: new ones may come
	Act    string   // what may not be done, in place of files: to commit, to push
	Of     string   // the branches that alone it may not be done to; without an act functions, of which the files alone may change
	Turn   int
	Brief  bool     // it ends with its turn
	Once   []string // what the person let go of for one turn, and which
	OnceIn int
}

// barsKept bounds how many are remembered, barWords how much of one is.
const (
	barsKept = 40
	barWords = 160
)

// Barred is the sentence of the person's that forbids a change of a file; empty for none.
func (s *State) Barred(t nebula.Target) string {
	for _, b := range slices.Backward(s.bars()) {
		if b.Holds(t, s.Turn.Number) {
			return b.Words
		}
	}
	return ""
}

// Holds reports whether the bar forbids a change of a file in a turn.
func (b Bar) Holds(t nebula.Target, turn int) bool {
	return (t.Kind != "mkdir" || b.ruled()) && !(b.Gone && t.Kind != "delete") && !(b.Old && (t.Kind == "create" || t.Kind == adds && !b.of("*"))) && !(t.Kind == "create" && b.of(aTest) && path.Base(t.Path) != "conftest.py" && rewrites.In(b.Words)) && !(t.Kind != "create" && !strings.HasPrefix(t.Kind, adds) && b.of(aTest) && addsTests.In(b.Words)) && b.holds(t, turn)
}

func (b Bar) holds(t nebula.Target, turn int) bool {
	if b.Act != "" {
		return false
	}
	in := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			return called(n, t.Path) || !strings.Contains(n, ".") && stem(t.Path) == strings.ToLower(n) || t.Named != "" && called(n, t.Named)
		})
	}
	if turn == b.OnceIn && in(b.Once) || b.But && (t.Left() || nebula.OfGit(t.Path)) || in(b.Except) {
		return false
	}
	return in(b.Paths) != b.But
}

// stem is what a file is called in short: by its name without an ending.
//
//go:noinline
func stem(file string) string {
	return strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
}

// adds is the kind of a change that takes nothing away from a file.
const adds = "add"

// newTests is how many lines begin a test.
//
//go:noinline
func newTests(lines []string) (n int) {
	for _, l := range lines {
		if beginsTest.In(l) {
			n++
		}
	}
	return n
}

var beginsTest = &lazy.Pattern{X: `^\s*(?:(?:async )?def test|func Test|#\[test|@Test\b|(?:it|test)\()`}

// Adding are targets, those of a kind of their own from which a diff takes no line away, or to which it brings one more test.
func Adding(targets []nebula.Target, diff string) []nebula.Target {
	targets = lists.Clone(targets)
	for _, e := range edits(diff) {
		for i, t := range targets {
			switch {
			case t.Path != e.path || t.Kind != "edit" || len(e.come) == 0:
			case len(e.gone) == 0:
				targets[i].Kind = adds
			case newTests(e.come) > newTests(e.gone):
				targets[i].Kind = adds + " test"
			}
		}
	}
	return targets
}

// Holds reports whether anything is forbidden that is told from what a command does, not from its words: to change or delete files, to
// commit, to reach others.
func (s *State) Holds() bool { return s.Forbids() != "" }

// Forbids is the last sentence that forbids it; empty for none.
func (s *State) Forbids() string {
	for _, b := range slices.Backward(s.bars()) {
		if b.Act != Run && !(b.Act == Look && b.ruled()) {
			return b.Words
		}
	}
	return ""
}

// Files are the bars that are of files.
func (s *State) Files() []Bar {
	return lists.Drop(s.bars(), func(b Bar) bool { return b.Act != "" })
}

// HoldsActs reports whether the person forbade something to be done, whatever it is done with.
func (s *State) HoldsActs() bool {
	return slices.ContainsFunc(s.bars(), func(b Bar) bool {
		return b.Act != "" && b.Act != Run && b.OnceIn != s.Turn.Number && !b.ruled()
	})
}

// Lent are the person's bars for whoever works for them in a turn of its own, its first: what ends with this turn, and what was let go of for
// it, does so there.
func (s *State) Lent() (lent []Bar) {
	for _, b := range s.Bars() {
		if b.OnceIn == s.Turn.Number {
			b.OnceIn = 1
		} else {
			b.Once, b.OnceIn = nil, 0
		}
		lent = append(lent, b)
	}
	return lent
}

// HoldsDeleting reports whether the person forbade that anything is deleted.
func (s *State) HoldsDeleting() bool {
	return slices.ContainsFunc(s.bars(), func(b Bar) bool { return b.Gone || b.Act == "delete" })
}

// Named is the sentence of the person's that forbids changing what it names, of which a command's word is one; empty for none.
func (s *State) Named(word string) string {
	word, ok := s.Inside(s.plain(word))
	if !ok {
		return ""
	}
	t := nebula.Target{Path: word, Kind: "delete"}
	for _, b := range slices.Backward(s.bars()) {
		if !b.But && !b.Gone && (b.holds(t, s.Turn.Number) || b.matched(word, s.Turn.Number)) {
			return b.Words
		}
	}
	return ""
}

// Beyond is the sentence of the person's that lets others alone change than a file that a command writes; empty for none.
func (s *State) Beyond(word string) string {
	word, ok := s.Inside(s.plain(word))
	for _, b := range slices.Backward(s.bars()) {
		if ok && b.But && b.holds(nebula.Target{Path: word, Kind: "edit"}, s.Turn.Number) {
			return b.Words
		}
	}
	return ""
}

// plain is a path without the other names that the folder has for a command that runs in it.
func (s *State) plain(word string) string {
	for _, name := range []string{"/proc/self/root", "/proc/self/cwd/", "~+/"} {
		word = strings.TrimPrefix(word, name)
	}
	if strings.HasPrefix(word, "../") {
		return path.Join(s.Dir, word)
	}
	return word
}

// Inside is a word as a path in the folder, and whether it is one.
func (s *State) Inside(word string) (string, bool) {
	word = strings.TrimPrefix(path.Clean(strings.TrimPrefix(word, s.Dir+"/")), "./")
	return word, strings.Trim(word, "./") != "" && !path.IsAbs(word) && !strings.HasPrefix(word, "../") && !strings.HasPrefix(word, "~")
}

// matched reports whether a pattern that the shell fills in can come to what is forbidden.
func (b Bar) matched(pattern string, turn int) bool {
	if !strings.ContainsAny(pattern, "*?[") || strings.Trim(pattern, "*?./") == "" {
		return false
	}
	rest, anywhere := strings.CutPrefix(pattern, "*/") // in a folder that is known only when the line runs
	return slices.ContainsFunc(b.Paths, func(name string) bool {
		name = strings.TrimPrefix(name, "/")
		if anywhere && strings.HasSuffix("/"+name, "/"+rest) {
			return b.holds(nebula.Target{Path: name, Kind: "delete"}, turn)
		}
		if !strings.Contains(pattern, "/") {
			name = path.Base(name)
		}
		of := pattern
		if parts, depth := strings.Split(pattern, "/"), strings.Count(name, "/")+1; depth < len(parts) && path.Ext(name) == "" {
			of = strings.Join(parts[:depth], "/") // what it comes to is in that folder
		}
		ok, err := path.Match(of, name)
		return err == nil && ok && b.holds(nebula.Target{Path: name, Kind: "delete"}, turn)
	})
}

// Holding is the sentence of the person's that forbids changing something in a folder, or something that a pattern comes to, where all of it
// goes, and what that is; empty for none. Of a file that is forbidden by its name alone it is known where it stands once it was read.
func (s *State) Holding(folder string) (said, name string) {
	folder = strings.TrimPrefix(path.Clean(strings.TrimPrefix(folder, s.Dir+"/")), "./")
	if path.IsAbs(folder) {
		return "", ""
	}
	for _, b := range slices.Backward(s.bars()) {
		for _, name := range lists.Concat(b.Paths, slices.Collect(maps.Keys(s.Seen))) {
			if name = strings.TrimPrefix(name, "/"); !b.But && b.holds(nebula.Target{Path: name, Kind: "delete"}, s.Turn.Number) && takesIn(folder, name) {
				return b.Words, name
			}
		}
	}
	return "", ""
}

// takesIn reports whether a folder, or what a pattern comes to, is or holds a path.
func takesIn(folder, name string) bool {
	if folder == "." || folder == "*" {
		return true
	}
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if ok, err := path.Match(folder, at); err == nil && ok {
			return true
		}
	}
	return false
}

// Bars are what the person forbids. Messages are read for it only when it is asked for: most turns never ask.
func (s *State) Bars() []Bar {
	unread := s.unread
	s.unread = nil
	for _, u := range unread {
		s.bar(u.text, u.turn)
		s.heard = u
	}
	return s.barred
}

// An unheard message of the person's, with its turn.
type unheard struct {
	text string
	turn int
}

// bar takes in what a message forbids, and lets go of what it allows again.
func (s *State) bar(text string, turn int) {
	if len(text) > document {
		return
	}
	if s.Dir != "" {
		text = strings.ReplaceAll(text, s.Dir+"/", "")
	}
	s.barred = lists.Drop(lists.Clone(s.barred), func(b Bar) bool { return b.Brief && b.Turn < turn })
	var named, ordered []string // what the message orders to change, and what by sentences that begin so
	text = withoutQuotes(text)
	sentences, own := sentencesOf(text), sentencesOf(withoutPastes(text))
	for i, words := range sentences {
		if forgets.In(words) && lists.Has(own, words) {
			s.forget(words, sentences[:i], turn)
			continue
		}
		said := reword(words)
		brief := thisTurn.In(words)
		refuses := unbound(said, brief)
		rest, others := refuses, mentions(said, otherRoots) && otherwise.In(said)
		if others {
			rest = otherwise.For(rest).ReplaceAllString(rest, "")
		}
		theirs := lists.Has(own, words)
		given, orders := leaveOf(said), theirs && ordersChange.In(said)
		if !theirs {
			given = leave{}
		}
		bars := apart(rest, lists.Concat(barsOf(rest), actsOf(refuses), unreadBars(refuses)))
		named = append(named, given.names...)
		if orders {
			ordered = append(ordered, given.names...)
		}
		bars = widely(bars, strings.ReplaceAll(refuses, aCode, "any code"), ordered)
		if theirs {
			s.asksForChange(said, orders, turn)
			s.frees(words, sentences[:i], turn)
			s.readAgain(said)
		}
		if len(sure(named)) > 0 && others && !slices.ContainsFunc(bars, func(b Bar) bool { return b.But }) {
			bars = append(bars, Bar{Paths: plain(withAll(sure(named))), But: true})
		}
		if alone := codeAlone(words, theirs && others, sentences[:i]); len(sure(named))+len(bars) == 0 && len(alone) > 0 {
			bars = append(bars, Bar{Of: strings.Join(alone, " "), But: true})
		}
		for _, b := range bars {
			b.Words, _ = Cut(words, barWords)
			b.Turn, b.Old, b.Brief = turn, !b.But && ofExisting.In(words), brief
			s.hold(b)
		}
		if !slices.ContainsFunc(bars, func(b Bar) bool { return b.But }) {
			given.names = lists.Drop(given.names, func(n string) bool {
				return slices.ContainsFunc(bars, func(b Bar) bool { return slices.ContainsFunc(b.Paths, func(p string) bool { return called(p, n) }) })
			})
			s.let(given, turn, words)
		}
		if theirs {
			s.allow(said, turn, bars)
		}
	}
	s.lookingAlone(sentences, turn)
	s.sparesTests(own)
	s.barred = s.barred[max(0, len(s.barred)-barsKept):]
}

// unbound is a sentence without what says that it holds for a turn.
//
//go:noinline
func unbound(said string, brief bool) string {
	if !brief {
		return said
	}
	return strings.TrimLeft(thisTurn.For(said).ReplaceAllString(said, ""), " ,、")
}

// sentencesOf are those of a message, its lists joined with what stands above them.
func sentencesOf(text string) []string {
	texts := rewordings("spokenTexts")
	return said(rewordedBy(texts, joined(rewordedBy(texts[:1], rewordedBy(rewordings("turnedTexts"), text)))))
}

// hold remembers a bar. A new word on what alone may change stands for an older one.
func (s *State) hold(b Bar) {
	if b.But {
		s.barred = lists.Drop(lists.Clone(s.barred), func(o Bar) bool {
			if o.But && o.Turn == b.Turn {
				b.Paths = append(slices.Clip(b.Paths), o.Paths...)
			}
			return o.But && (o.Turn == b.Turn || o.wide() == b.wide())
		})
	}
	if b.Act != "" {
		s.barred = lists.Drop(lists.Clone(s.barred), func(o Bar) bool { return o.Act == b.Act && (b.Of == "" || o.Of == b.Of) })
	}
	s.barred = append(slices.Clip(s.barred), b)
}

// let lets go of what the person allows.
func (s *State) let(given leave, turn int, words string) {
	if len(given.names) == 0 && !given.any {
		return
	}
	var left []Bar
	for _, b := range s.barred {
		switch {
		case b.Act == "" && b.Turn == turn && strings.HasPrefix(words, strings.TrimSuffix(b.Words, "…")): // what the sentence itself leaves out
			left = append(left, b)
			continue
		case b.Act != "":
			b.Except = append(slices.Clip(b.Except), given.acts[b.Act]...)
			left = append(left, b)
			continue
		case given.any && (b.But || !given.others):
			continue
		case given.once:
			if b.OnceIn != turn {
				b.Once = nil
			}
			b.Once, b.OnceIn = append(slices.Clip(b.Once), given.names...), turn
		case b.But:
			b.Paths = append(slices.Clip(b.Paths), given.names...)
		default:
			b.Paths = lists.Drop(lists.Clone(b.Paths), func(n string) bool {
				return slices.ContainsFunc(given.names, func(word string) bool { return called(n, word) && !within(n, word) || called(word, n) })
			})
			b.Except = append(slices.Clip(b.Except), given.names...) // what a folder or a pattern still held holds
		}
		if len(b.Paths) > 0 || b.But {
			left = append(left, b)
		}
	}
	s.barred = left
}

// within reports whether a path lies in what a name calls, and is not that itself.
func within(name, file string) bool {
	return strings.Contains(name, "*") || !strings.HasSuffix("/"+strings.ToLower(file), "/"+strings.ToLower(name))
}

// said are the sentences of a message that are the person's own: none that is quoted from elsewhere, or that a step is told of what the model said.
func said(text string) (list []string) {
	var own strings.Builder
	for line := range strings.Lines(unquoted(text)) {
		if line = strings.TrimSpace(line) + "\n"; !strings.HasPrefix(line, ">") && !strings.HasPrefix(line, string(nebula.Assistant)+": ") {
			own.WriteString(line)
		}
	}
	for _, c := range clauses(own.String()) {
		for _, one := range sentences(c.text) {
			list = append(list, cited.For(one).ReplaceAllString(one, "$1"))
		}
	}
	return list
}

// called reports whether what the person called by a name is, or holds, the file at a path. People write names in small and in
// capital letters: one that differs in that alone is meant.
func called(name, file string) bool {
	name, file = strings.ToLower(name), strings.ToLower(file)
	if rule, rooted := strings.CutPrefix(name, "/"); rooted {
		return falls(strings.Split(rule, "/"), strings.Split(file, "/"))
	}
	if strings.Contains(name, "*") {
		parts := []string{file, path.Base(file)}
		if name[0] == '.' { // what is in a hidden folder is hidden too
			parts = strings.Split(file, "/")
		}
		for _, part := range parts {
			if ok, err := path.Match(name, part); err == nil && ok {
				return true
			}
		}
		return false
	}
	return name != "" && strings.Contains("/"+file+"/", "/"+name+"/")
}
