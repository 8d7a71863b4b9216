package state

import (
	"strings"
	"sync"

	"nebula/internal/lazy"
)

// worded is a [rewording] with more places: 1 is one path, B where a statement begins, R a refusal with what it names first, M what must be.
func worded(has, of, as string) rewording {
	return rewording{has, lazy.Filled(of, func(of string) string { return `(?i)` + wordedParts().Replace(spokenParts().Replace(of)) }), as}
}

var spokenParts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("{1}", "("+wordedPath+")", "{B}", `(^\W*|[.,;:!(] ?|\b(?:and|but|please|bitte|und|aber|et|mais|y|pero) )`, "{M}", `(?:must|should|shall|has to|have to|is to|are to|needs? to)`,
		"{R}", `((?:^|[^\w'])(?:don't|do not|dont|never|hands off|without) (?:touch|chang|modify|edit|alter)?(?:e|ing)? ?`+wordedPaths+`)`,
		"{N}", `(?:files|folders|paths|things|what)(?: you| that)?(?: are| must| should)? not (?:to )?(?:be )?(?:touch|chang|modif|edit|alter)\w*`, "{die}", `(?:(?:bitte|die datei|den ordner|le fichier|le dossier|el archivo|la carpeta|à|a|le|la|el|de) )*`, "{deI}", `(?:(?:an|ab|um)(?:ge|zu)?)?`)
})

// spokenRows are read before the other rewordings, each of what those before it left.
var spokenRows = []rewording{
	worded("’", `’`, "'"),
	// What stands in brackets is a statement of its own.
	worded("(", `\(((?:please |but |and )*(?:the (?:file|folder) )?{P} ?(?:{M}|is|are|stays?|remains?|may|can)\b[^()]*)\)`, "; $1; "),
	worded("(", `{1} ?\((?:please )?(?:(?:do not|don't|never) (?:touch|change|edit|modify|alter)(?: (?:it|this))?|off[- ]limits|hands off|read-only|frozen|leave (?:it )?alone|leave as is|keep as is)\)`, "; never touch $1; "),
	// What is forbidden, before which it is.
	worded("limits|only|frozen|untouchable", `{B}(?:off[- ]limits|read-only|frozen|untouchable)(?: (?:are|is))?: ?{P}`, "${1}never touch $2"),
	worded("not to|not be", `^\W*{N}:? {P}`, "never touch $1"),
	// What sounds as if it forbade.
	worded("just|only|merely|simply|solely", `\b(?:don't|do not|dont|never) (?:just|only|merely|simply|solely) (\w)`, "$1"),
	worded("なく|ならず", `(?:だけ(?:で(?:は)?|じゃ)なく(?:て)?|のみならず)(?:、)?`, "と"),
	worded("say|said|read|complain|warn|print|tell", `^\W*(?:the|our|a|an|this) (?:\w+ )?(?:linter|compiler|formatter|tests?|tool|error|message|logs?|docs|readme|comment|output|warning|ci|script|build|header|banner)(?: \w+)? (?:says?|said|reads?|complains?|warns?|prints?|tells? \w+)\b[^;]*`, ""),
}

// spokenTexts are read of a whole message: what a list or a sentence adds to what was forbidden before it.
var spokenTexts = []rewording{
	worded("\n", `(?m)(^|[.!] )(?:please )?(?:(?:do not|don't|never) {V}(?: (?:these|the following)(?: files)?)?|off[- ]limits|hands off|read-only|frozen|untouchable|leave alone|{N})(?: \([^)\n]*\))?[ \t]*[:：][ \t]*\n((?:[ \t]*(?:[-*•]|\d+[.)])[ \t]+`+wordedPath+`[ \t]*(?:\n|$))+)`, "${1}Never touch these files:\n$3"),
	worded("not|nor|neither|either|same|likewise|ditto", `{R}(?:[.;,]? (?:[-–—] )?(?:and |but |or )?(?:also not|nor|neither|(?:the )?same (?:(?:goes |holds |applies )?(?:for|to|with))|likewise(?: for)?|ditto(?: for)?) {1}|[;,]? (?:[-–—] )?(?:and |but )?(?:not )?{1} (?:n?either)\b)`, "$1. Never touch $2$3"),
}

// rewordedBy is a text in which each row finds its words, from above to below.
func rewordedBy(rows []rewording, text string) string {
	low := strings.ToLower(text)
	for _, r := range rows {
		for has := range strings.SplitSeq(r.has, "|") {
			if strings.Contains(low, has) {
				text = r.of().ReplaceAllString(text, r.as)
				break
			}
		}
	}
	return text
}
