package state

import (
	"slices"
	"strings"
	"sync"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Functions that an answer says it removed or mended, against the lines that came and went.

const (
	bodyName  = `(?:(?:the|both|unused|dead|old|obsolete|duplicate|(?:bug|error|mistake)s? in) )*(?:(?:function|method|class|helper)s? )?(?:\x60\w+(?:\(\))?\x60|\w+(?:\(\))?)(?: (?:function|method|class|helper)(?:e?s)?)?`
	bodyList  = `(` + bodyName + `(?:(?:,? and |, | as well as )` + bodyName + `)*)`
	bodyEnds  = `(?:$|[,;:(]| (?:too|as well|now|also|from|in)\b)`
	bodyVerbs = `removed|deleted|dropped|got rid of|fixed|repaired|corrected|updated|changed|rewrote|simplified`
)

// bodied are the forms: what was done with what.
var bodied = [...]*lazy.Pattern{
	form(saidBy, `(`+bodyVerbs+`) `+bodyList+bodyEnds),
	form(saidOfIt, bodyList+` `+hasBeen+`(?:(?:both|all|also) )*(`+bodyVerbs+`|gone)`+bodyEnds),
	form("", `((?:\x60?\w+(?:\(\))?\x60?\s?`+kindsJa+`?(?:と|、|や)\s?)*\x60?\w+(?:\(\))?\x60?)\s?`+kindsJa+`?(?:の(?:両方|バグ|不具合|誤り))?(?:とも|も|を)\s?(?:同様に|一緒に|両方)?\s?(削除し|消し|修正し|直し)(?:ました|て|、)`),
}

var (
	definition = &lazy.Pattern{X: `(?m)^(?:[ \t]*[@#/].*\n)*([ \t]*)(?:[a-z]+[ \t]+)*(?:def|func|function|fn|fun|class|const|let|var|type|struct|interface|trait|module)[ \t]+(?:\([^)\n]*\)[ \t]*)?(\w+)`}
	anyWord    = &lazy.Pattern{X: `\w\w+`}
	bodyEnd    = &lazy.Pattern{X: `^[\s})\]]|^end\b|^$`}
	bodyGoes   = &lazy.Pattern{X: `(?i)^(?:rem|del|dr|got|gone|削|消)`}
)

// A body is a definition of code with its lines.
type body struct{ name, text string }

// bodies are the definitions of a text, as far as they show by how their lines are indented, and the lines that are of none.
func bodies(text string) (list []body, rest string) {
	ends := 0
	for _, at := range definition.For(text).FindAllStringSubmatchIndex(text, -1) {
		depth, end := at[3]-at[2], at[1]
		if at[0] > ends {
			rest += text[ends:at[0]]
		}
		for first := true; end < len(text); first = false {
			line, _, _ := strings.Cut(text[end:], "\n")
			if !first && len(line)-len(strings.TrimLeft(line, " \t")) <= depth && !bodyEnd.In(strings.TrimPrefix(line, text[at[2]:at[3]])) {
				break
			}
			end = min(len(text), end+len(line)+1)
		}
		list, ends = append(list, body{text[at[4]:at[5]], text[at[0]:end]}), max(ends, end)
	}
	return list, rest + text[min(ends, len(text)):]
}

// bodiless reports whether a sentence says of a function that it was removed or mended, and no line of it, or of what it uses, came or went.
func (d Deeds) bodiless(sentence string, plain func() bool) bool {
	for i, form := range bodied {
		for _, at := range form.For(sentence).FindAllStringSubmatchIndex(sentence, -1) {
			if i == 0 && !plain() || held(sentence, at) || d.Code == nil || !d.shown() {
				continue
			}
			verb, list := sentence[at[2]:at[3]], sentence[at[4]:at[5]]
			if i > 0 {
				verb, list = list, verb
			}
			code := sync.OnceValue(d.code)
			for _, name := range anyWord.For(list).FindAllString(list, -1) {
				if !lists.Has(noNames, name) && (d.apart(code(), name, bodyGoes.In(verb)) || bodyGoes.In(verb) && d.unnamed(name) && strings.Contains(list, "`"+name)) {
					return true
				}
			}
		}
	}
	return false
}

// unnamed reports whether nothing that came or went, and no command, has a name in it.
func (d Deeds) unnamed(name string) bool {
	return len(d.Touched) > 0 && !strings.Contains(d.Came+d.Went, name) && !slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.Contains(l.Text, name) })
}

// A corpus is what is written in files: the definitions, and the lines of none.
type corpus struct {
	all  []body
	rest string
}

// code is what is written in what was read or touched.
func (d Deeds) code() (c corpus) {
	for _, text := range d.Code() {
		list, more := bodies(text)
		c.all, c.rest = append(c.all, list...), c.rest+more
	}
	return c
}

// apart reports whether a function stands in what was read or touched, and nothing that came or went is of it, or of what it uses. Where
// something came that is of none, this cannot be told.
func (d Deeds) apart(code corpus, name string, gone bool) bool {
	uses, stands := []string{name}, false
	for n := 0; n < min(len(uses), bodiesMost); n++ {
		for _, b := range code.all {
			if b.name != uses[n] {
				continue
			}
			for line := range strings.SplitSeq(d.Came+d.Went, "\n") {
				went, is := strings.CutPrefix(line, "-")
				if went = strings.TrimSpace(went); anyWord.In(went) && (strings.Contains(went, b.name) && (is || !gone) || !gone && (strings.Contains(b.text, went) || strings.Contains(code.rest, went))) {
					return false
				}
			}
			stands = true
			for _, o := range code.all {
				if !gone && strings.Contains(b.text, o.name) && !lists.Has(uses, o.name) {
					uses = append(uses, o.name)
				}
			}
		}
	}
	return stands && len(uses) < bodiesMost
}

// bodiesMost bounds how far what a function uses is followed.
const bodiesMost = 64
