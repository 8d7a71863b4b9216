package tool

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A speech is what a word does in a remark that stands for lines. A remark with a word that does nothing of it says something else.
type speech int8

const (
	noPart  speech = iota
	glue           // joins the others
	thing          // what code consists of, and what the file defines
	rest           // the rest of it
	which          // says which of it: the existing, the previous
	asItWas        // says what is with it: unchanged, omitted, as before
	scarce         // says that only of something that is named
	stays          // it remains, continues
	retain         // keep, copy
	trailer        // here, for brevity
)

// speeches are the words by what they do. Phrases of several words stand joined by a hyphen, as in phrases.
var speeches = map[speech]map[string]bool{
	glue: wordSet("the this that a your my our its it of in and or to from for with more todo also then as is are was were be been not does do will should all whole entire full old everything else current same"),
	thing: wordSet("code content contents import imports method methods function functions func funcs def defs line lines implementation implementations logic field fields test tests case cases stuff thing things file body bodies entry entries item items " +
		"section sections class classes module modules document component components script page config definition definitions constant constants variable variables header headers part parts block loop helper helpers route routes handler handlers " +
		"style styles rule rules setup option options settings rows columns text paragraphs declaration declarations above"),
	rest:    wordSet("rest remainder"),
	which:   wordSet("remaining existing previous original prior previously others other"),
	asItWas: wordSet("unchanged untouched omitted elided truncated snipped snip etc as-before as-is as-above as-they-were as-they-are as-it-was as-it-is and-so-on"),
	scarce:  wordSet("skipped abbreviated identical intact same left-out not-shown"),
	stays:   wordSet("stay stays remain remains continue continues"),
	retain:  wordSet("keep leave copy retain insert add put include continue"),
	trailer: wordSet("here below for-brevity for-clarity for-space for-now exactly completely needed from-here before goes go kept left"),
}

// phrases are the words that only together do something.
var phrases = strings.NewReplacer("as before", "as-before", "as is", "as-is", "as above", "as-above", "as they were", "as-they-were", "as they are", "as-they-are", "as it was", "as-it-was", "as it is", "as-it-is",
	"left out", "left-out", "not shown", "not-shown", "and so on", "and-so-on", "for brevity", "for-brevity", "for clarity", "for-clarity", "for space", "for-space", "for now", "for-now", "from here", "from-here",
	"no changes", "unchanged", "no change", "unchanged", "not changed", "unchanged", "nothing else changes", "unchanged", "nothing else changed", "unchanged", "nothing else has changed", "unchanged", "see the original", "as-before", "see original", "as-before")

// alike are remarks that alone say that what stood there stays.
var alike = []string{"same", "the same", "same here", "same thing", "same again", "ditto", "idem", "dto", "likewise"}

// leaves reports whether a remark stands for lines: it names some of the code, and says that it is the rest, or is as it was.
// named tells the words that the file defines and the content does not.
func leaves(remark string, named func(string) bool) bool {
	fields := strings.FieldsFunc(phrases.Replace(strings.ToLower(remark)), func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if lists.Has(alike, strings.Join(fields, " ")) {
		return true
	}
	does := make([]speech, len(fields))
	count, known := map[speech]int{}, false
	for i, w := range fields {
		for s := glue; s <= trailer; s++ {
			if speeches[s][w] && (w != "same" || s == glue || i == len(fields)-1 || speeches[glue][fields[i+1]]) && (s != retain || i == 0 || does[i] == noPart) {
				does[i] = s
			}
		}
		known = known || does[i] > thing && does[i] < trailer
	}
	if len(fields) > 12 || !known {
		return false
	}
	others, names := 0, 0
	for i, w := range fields {
		switch {
		case w == "other" || w == "others":
			others++
		case does[i] != noPart && does[i] != thing:
		case named(w):
			does[i] = thing
			names++
		case does[i] == noPart && strings.Trim(w, "-0123456789") == "":
			does[i] = glue
		case does[i] == noPart && strings.ContainsAny(w, "0123456789"): // f1
			does[i] = thing
		case does[i] == noPart:
			return false
		}
		count[does[i]]++
	}
	last, some := does[len(does)-1], count[thing]+count[rest]+count[which] > 0
	switch {
	case fields[0] == "not":
		return false
	case count[asItWas] > 0, count[scarce] > 0 && (some || count[trailer] > 0):
		return true
	case count[retain] > 0:
		return count[rest]+count[which] > others || names > 0
	case count[stays] > 0:
		return some && (last == stays || last == trailer)
	case count[rest] > 0:
		return len(fields) <= 2 || count[thing] > 0 || last == trailer
	}
	return count[which] > 0 && count[thing] > 0
}

// A line that is a remark, and one that says that something is gone.
var (
	noted = &lazy.Pattern{X: `^\s*(?:#(?:\W|$)|//|--(?:\s|$)|/\*.*\*/\s*$|<!--.*-->\s*$|;+\s|%+\s|\{/\*.*\*/\}\s*$)`}
	gone  = &lazy.Pattern{X: `(?i)\b(?:removed?|moved?|deleted?|dropped|replaced|obsolete|deprecated|disabled|no longer|not needed|gone|empty|nothing|no-?op|todo|fixme)\b|廃止|削除|移動|不要|無効|何もしない|空`}
)

// standIns are remarks that name what they stand for and say nothing of it; where they take the place of more lines than stand beside them,
// they are these lines.
var standIns = wordSet("existing body code-here your-code-here implementation-here implementation 残り 既存 同上 以下同様 本体 処理 ここに処理 実装")

// outweighed is a remark that stands where the file has lines of code and that does not say that they are gone: at the place of
// several, or as all that is left of a body. Whatever it says, it hardly replaces them.
func (c *content) outweighed(was, now string) string {
	if !program.In(c.path) && !strings.HasSuffix(c.path, ".yml") && !strings.HasSuffix(c.path, ".yaml") || len(was)+len(now) > diffBytes {
		return ""
	}
	was, now = strings.TrimSuffix(was, "\n")+"\n", strings.TrimSuffix(now, "\n")+"\n"
	all := full(strings.Split(now, "\n"))
	for _, e := range udiff.Lines(was, now) {
		added := full(strings.Split(e.New, "\n"))
		if len(added) == 0 {
			continue
		}
		last := added[len(added)-1]
		for _, l := range added {
			if noted.In(l) && standIns[strings.ReplaceAll(strings.ToLower(remark(l)), " ", "-")] && len(full(strings.Split(was[e.Start:e.End], "\n"))) > len(added) && !c.was[strings.TrimSpace(l)] {
				return strings.TrimSpace(l)
			}
		}
		if len(added) > 1 && last != all[len(all)-1] || !noted.In(last) || gone.In(last) || words(last) == 0 {
			continue
		}
		code, kept := 1-len(added), false
		for _, l := range strings.Split(was[e.Start:e.End], "\n") {
			if words(l) > 0 && !noted.In(l) {
				code++
				kept = kept || strings.Contains(last, strings.TrimSpace(l)) // it was put in a comment
			}
		}
		if !kept && (code > 1 || code > 0 && alone(all, slices.Index(all, last))) {
			return strings.TrimSpace(last)
		}
	}
	return ""
}
