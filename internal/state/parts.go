package state

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Work is what a turn did, against which its request is read: part by part.
type Work struct {
	Files  []string // that were changed
	Said   string   // what its changes and commands said: paths, contents, lines
	Answer string
}

const (
	// partLong is how long a part of a request is at most, requestLong how long a request that is read for them.
	partLong    = 400
	requestLong = 8 << 10
)

// A request is read by the verbs that ask for work; each begins a part, which its sentence ends. What only holds for a case is none.
const partVerbs = `(?:add|fix|change|remove|delete|drop|rename|implement|update|edit|replace|refactor|create|write|move|make|correct|repair|modify|convert|extend|insert|append|bump|set|split|merge|port|migrate|adjust|rewrite|improve|clean up|apply|document|mention|log|raise|return|commit|run|cover|support|expose|handle|validate|introduce|translate|export|deprecate|use|let|have|switch|put|extract|list|describe|link|record|install|configure)`

var (
	partBegins = &lazy.Pattern{X: `(?i)(?:^|[.!?:;,。\n]|\b(?:and|then|also|please|you|(?:you|want|like|need|is) to)\b|\s\(?\d{1,2}[.)])\s*(?:(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h]\)|[①-⑨])\s*)?(?:(?:and|also|then|please|finally|first|second|third|next|last|lastly|additionally|can you|could you)[, ]\s*)*(?:(?:in|for) [^\s,]+,? )?(` + partVerbs + `\b)`}
	partItem   = &lazy.Pattern{X: `(?m)^\s*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h]\)|[①-⑨])\s*(\S[^\n]*)`}
	partEnds   = &lazy.Pattern{X: `[.!?;](?:\s|$)|[\n。；]|\s\(?\d[.)]\s`}
	partMust   = &lazy.Pattern{X: `(?i)\b(?:must|should|needs?(?: to)?|ought to|has to|have to)\b`}
	partMaybe  = &lazy.Pattern{X: `(?i)\bif (?:needed|necessary|possible|you (?:want|like)|there|any|it)|\b(?:as needed|where needed|optional(?:ly)?|nice to have)\b|\b(?:not|never|without|don['’]t|do not)\s*$|^(?:make|be) sure|必要なら|もし|できれば|任意`}
	partJa     = &lazy.Pattern{X: `[^。、\n「」]*(?:修正|変更|追加|削除|実装|更新|編集|作成|置換|移動|改名|リネーム|コミット|反映|記載|追記|直|消|移|書|加え|作|変え)(?:を?(?:しろ|して[^。、\n]*|し|する(?:こと)?|せよ|お願い[^。、\n]*)|(?:っ|い)?て[^。、\n]*)(?:[。、\n]|$)`}
	partList   = &lazy.Pattern{X: `(?:次|以下|下記)[^。]*(?:お願い|して|せよ|行)|お願いします[。：:]?$`}
	partName   = &lazy.Pattern{X: "`[^`\n]+`|\"[^\"\n]{1,40}\"|「[^」\n]{1,30}」|--[a-z][\\w-]+|[\\w./-]*\\w\\.[a-zA-Z]\\w{0,7}\\b|\\b(?:README|CHANGELOG|CHANGES|Makefile|Dockerfile|LICENSE|CONTRIBUTING)\\b|\\b[A-Za-z]\\w*_\\w+|\\b\\w+\\(\\)|\\b[a-zA-Z]+[a-z][A-Z]\\w*"}
	partFile   = &lazy.Pattern{X: `^[\w./-]*\w\.[a-zA-Z]\w{0,7}$|^(?:README|CHANGELOG|CHANGES|Makefile|Dockerfile|LICENSE|CONTRIBUTING)$`}
	partSource = &lazy.Pattern{X: `(?i)\b(?:like|as in|see|from|per|according to|based on|described in|documented in|defined in|following|using|uses?|with|than|between|whether|of|by)\s+(?:the )?$`}
	partJoin   = &lazy.Pattern{X: `^(?:\s*,?\s*(?:and|&|、|と|や)?\s*)$`}
	// What a part is about by its words, and what then shows that it was worked on.
	partSum    = &lazy.Pattern{X: `\w+(?: ?(?:[-+*/%|&^]|[<>=!]=|<<|>>|\*\*|//) ?\w+)+`} // an expression that is to stand there
	partTests  = &lazy.Pattern{X: `(?i)^(?:add|write|create|extend|update|cover|implement|include)\b.{0,60}?\b(?:tests?|specs?)\b|テスト[^。]{0,8}(?:を|も)[^。]{0,6}(?:追加|書|作|加)`}
	partCommit = &lazy.Pattern{X: `(?i)^commit\b|コミット`}
	committed  = &lazy.Pattern{X: `\bgit(?:\s+-[cC]\s+(?:"[^"]*"|'[^']*'|[^\s"'])+|\s+-[\w=./-]+)*\s+commit\b`}
	partTells  = &lazy.Pattern{X: `(?i)^\w+(?:\(\))? (?:is|isn['’]?t|are|was|were|does|doesn['’]?t|fails|crashes|breaks)\b`} // the verb is a name
	testLine   = &lazy.Pattern{X: `(?i)\bdef test|func test|#\[test|@test\b|\b(?:it|test|describe)\(|assert|\.test\.|_test\.|\btest_|/tests?/`}
	spokenFor  = &lazy.Pattern{X: `(?i)\b(?:already|not|no|cannot|can['’]t|n['’]t|unchanged|unable|left|skipp\w+|needs? no|nothing|refused|instead)\b|ありません|ません|すでに|既に|不要|していない`}
)

// Untouched are the parts of a request, in its own words, of which nothing that the turn did has what they name. None where it has only one
// part: whether that is done is asked in other ways.
func (w Work) Untouched(asks string) (left []string) {
	if len(asks) > requestLong {
		return nil
	}
	parts := requested(asks)
	n := 0
	for _, p := range parts {
		names := p.needs()
		n += max(1, len(names))
		if w.does(p) || w.answers(p) {
			continue
		}
		if missing := lists.Drop(lists.Clone(names), func(name string) bool { return w.has(name) || w.answersOf(name) }); len(names) > 1 && len(missing) > 0 {
			left = append(left, p.text+" ("+strings.Join(missing, ", ")+")")
		} else if len(names) < 2 && !w.touches(p, parts) {
			left = append(left, p.text)
		}
	}
	if n < 2 {
		return nil
	}
	return left
}

// A part is one thing that a request wants done, and where each name in it begins.
type part struct {
	text  string
	names [][]int
}

// requested are the parts of a request; what is fenced in it is none of its words.
func requested(asks string) (parts []part) {
	asks = unfenced(asks)
	add := func(text string) {
		text = strings.Trim(text, " \t\r\n,;:、。")
		for _, end := range []string{" and", " then", " also", ","} {
			text = strings.TrimSuffix(text, end)
		}
		if len(text) < 4 || len(text) > partLong || partMaybe.In(text) || partTells.In(text) || slices.ContainsFunc(parts, func(p part) bool { return strings.Contains(p.text, text) }) {
			return
		}
		parts = append(parts, part{text, partName.For(text).FindAllStringIndex(text, -1)})
	}
	begins := partBegins.For(asks).FindAllStringSubmatchIndex(asks, -1)
	for i, b := range begins {
		if partMaybe.In(sentenceBefore(asks, b[2])) {
			continue
		}
		end := len(asks)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		text := asks[b[2]:max(b[2], end)]
		if at := partEnds.For(text).FindStringIndex(text); at != nil {
			text = text[:at[0]]
		}
		add(prefaced(asks, b) + text)
	}
	for _, m := range partItem.For(asks).FindAllStringSubmatchIndex(asks, -1) {
		intro := strings.TrimSpace(asks[:m[0]])
		above := intro[strings.LastIndexByte(intro, '\n')+1:]
		item := asks[m[2]:m[3]]
		if partMust.In(item) || strings.HasSuffix(above, ":") && partBegins.In(above) || partList.In(above) {
			add(item)
		}
	}
	for _, m := range partJa.For(asks).FindAllString(asks, -1) {
		add(m)
	}
	return parts
}

// prefaced is where a part says, before its verb, in what it is to be done.
func prefaced(asks string, at []int) string {
	before := asks[at[0]:at[2]]
	if i := strings.LastIndex(strings.ToLower(before), "in "); i >= 0 {
		return before[i:]
	}
	return ""
}

// sentenceBefore is what stands in the sentence of a place before it.
func sentenceBefore(text string, at int) string {
	before := text[:at]
	return before[strings.LastIndexAny(before, ".!?\n。")+1:]
}

func unfenced(text string) string {
	var b strings.Builder
	for i, piece := range strings.Split(text, "```") {
		if i%2 == 0 {
			b.WriteString(piece)
		}
	}
	return b.String()
}

// needs are the names of a part that stand in a list, each of which is wanted; where there is no list, the one file or none.
func (p part) needs() (names []string) {
	if strings.HasPrefix(strings.ToLower(p.text), "merge") || strings.HasPrefix(strings.ToLower(p.text), "replace") || strings.HasPrefix(strings.ToLower(p.text), "move") {
		return nil
	}
	var run []string
	from := true // the list that goes on is what is worked from
	for i, at := range p.names {
		joined := i > 0 && partJoin.In(p.text[p.names[i-1][1]:at[0]]) && p.file(i-1) == p.file(i)
		if !joined {
			if len(run) > 1 && !from {
				return run
			}
			run, from = nil, partSource.In(p.text[:at[0]])
		}
		run = append(run, p.text[at[0]:at[1]])
	}
	if len(run) > 1 && !from {
		return run
	}
	return nil
}

//go:noinline
func (p part) file(i int) bool { return partFile.In(p.text[p.names[i][0]:p.names[i][1]]) }

// does reports whether a part is of a kind whose work shows by itself, and it was done.
func (w Work) does(p part) bool {
	switch {
	case partTests.In(p.text):
		return slices.ContainsFunc(w.Files, testFile) || testLine.In(w.Said)
	case partCommit.In(p.text):
		return committed.In(w.Said) || lists.Has(w.Files, ".git/COMMIT_EDITMSG")
	case strings.HasPrefix(strings.ToLower(p.text), "run"):
		return true // what ran is told elsewhere
	}
	return false
}

// touches reports whether something that was done has a name of a part, or its file where no other part has that. A part that names nothing is
// known by its words, in what was done or in the answer.
func (w Work) touches(p part, all []part) bool {
	if partTests.In(p.text) || partCommit.In(p.text) {
		return false
	}
	if sum := partSum.For(p.text).FindString(p.text); sum != "" && strings.Contains(strings.ReplaceAll(w.Said, " ", ""), strings.ReplaceAll(sum, " ", "")) {
		return true
	}
	idents, files := 0, 0
	for i, at := range p.names {
		name := p.text[at[0]:at[1]]
		if partSource.In(p.text[:at[0]]) && len(p.names) > 1 {
			continue
		}
		if !p.file(i) {
			if idents++; w.has(name) {
				return true
			}
			continue
		}
		files++
		of := 0
		for _, o := range all {
			if strings.Contains(o.text, name) {
				of++
			}
		}
		if w.has(name) && (of < 2 || len(p.names) == 1) {
			return true
		}
	}
	if files > 0 && idents == 0 {
		return false
	}
	about, done := phrase.About(p.text), phrase.About(w.Said)
	for word := range phrase.About(w.Answer) {
		done[word] = done[word] || idents == 0
	}
	for _, verb := range strings.FieldsFunc(partVerbs+" sure code function new file", func(r rune) bool { return !unicode.IsLetter(r) }) {
		delete(about, verb)
	}
	hits := 0
	for word := range about {
		if done[word] {
			hits++
		}
	}
	return hits > 0 && idents == 0 || hits > 1 && hits*2 >= len(about) || len(about) == 0
}

// has reports whether what was done holds a name: a file that was changed, or a word of what was said.
func (w Work) has(name string) bool {
	plain, said := strings.ToLower(strings.Trim(name, "`\"「」().")), strings.ToLower(w.Said)
	if partFile.In(strings.Trim(name, "`\"")) {
		if plain = path.Base(plain); slices.ContainsFunc(w.Files, func(f string) bool {
			base := strings.ToLower(path.Base(f))
			return base == plain || strings.HasPrefix(base, plain+".")
		}) {
			return true
		}
		return strings.Contains(said, plain)
	}
	if strings.Contains(said, plain) {
		return true
	}
	if words := regexpWords(plain); len(words) > 1 || len(words) == 1 && words[0] != plain { // an expression: any of its names
		return slices.ContainsFunc(words, func(word string) bool { return len(word) > 2 && strings.Contains(said, word) })
	}
	return false
}

func regexpWords(text string) []string { return identifiers.For(text).FindAllString(text, -1) }

var identifiers = &lazy.Pattern{X: `[\p{L}_][\p{L}\d_-]*`}

// answers reports whether the answer says of a part why it was not done, or that it need not be.
func (w Work) answers(p part) bool {
	if len(p.names) == 0 {
		about := phrase.About(p.text)
		return w.excuses(func(line string) bool {
			hits := 0
			for word := range phrase.About(line) {
				if about[word] {
					hits++
				}
			}
			return hits > 0
		})
	}
	return slices.ContainsFunc(p.names, func(at []int) bool { return w.answersOf(p.text[at[0]:at[1]]) })
}

func (w Work) answersOf(name string) bool {
	name = strings.ToLower(strings.Trim(name, "`\"「」()"))
	return w.excuses(func(line string) bool { return strings.Contains(strings.ToLower(line), name) })
}

// excuses reports whether a sentence of the answer that is of something says why it stands as it was.
func (w Work) excuses(of func(string) bool) bool {
	return slices.ContainsFunc(saidParts.For(w.Answer).FindAllString(w.Answer, -1), func(line string) bool {
		return spokenFor.In(line) && of(line)
	})
}
