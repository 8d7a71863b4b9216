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
		"{N}", `(?:files|folders|paths|things|what)(?: you| that)?(?: are| must| should)? not (?:to )?(?:be )?(?:touch|chang|modif|edit|alter)\w*`, "{die}", `(?:(?:bitte|die datei|den ordner|le fichier|le dossier|el archivo|la carpeta|à|a|le|la|el|de) )*`)
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
	// As it is said every day.
	worded("nothing", `\bnothing (?:in|inside|within) (?:here|(?:this|the) (?:folder|directory|repo|repository|project|tree)) (may|can|shall|{M})\b`, "nothing $1"),
	worded("nothing", `\bnothing (?:in|under|inside|below|within) (?:the )?{P}(?: (?:folder|directory))? (?:may|can|shall|{M}) (?:be )?(?:chang|touch|edit|alter|modif|delet|mov)\w*{E}`, "$1 must not be changed$2"),
	worded("nothing", `\bnothing (?:in|under|inside|below|within) (?:the )?([\w-]{3,})(?: (?:folder|directory))? (?:may|can|shall|{M}) (?:be )?(?:chang|touch|edit|alter|modif|delet|mov)\w*{E}`, "$1/ must not be changed$2"),
	worded("locked", `(^\W*|[;,] ){P} (?:is|are|stays?) locked(?: (?:down|for you|for now))*(\W*$|;)`, "${1}never touch $2$3"),
	worded("freeze|protect|preserve|safeguard", `{B}(?:freeze|protect|preserve|safeguard) (?:the (?:file|folder) )?{P}(?: from (?:(?:any|all|further|being) )?(?:changes?|changed|edits?|edited))?{E}`, "${1}never touch $2$3"),
	worded("preserved|protected|identical|the same", `{P} {M} (?:(?:be|stay|remain) (?:\w+ )?(?:preserved|protected|(?:byte[- ](?:for[- ]byte )?)?identical|the same))(?: as before| afterwards?| after (?:that|this))?{E}`, "$1 must not be changed$2"),
	worded("important|essential|crucial|vital|critical", `\bit(?:'s| is) (?:important|essential|crucial|vital|critical)(?: to me)? that {P} (?:does not|doesn't|do not|don't|not|is not|isn't) (?:be )?(?:chang|modif|touch|edit|alter)\w*{E}`, "$1 must not be changed$2"),
	worded("append", `\b(?:append|prepend)(?:ing)? (?:(?:anything|lines?|text) )?to {P}`, "write to $1"),
	worded("you", `{P} you (?:can't|cannot|can not|must not|mustn't|may not|shouldn't|should not)(?: (?:touch|change|edit|modify))?{E}`, "never touch $1$2"),
	worded("except|other than|apart|aside", `^\W*(?:except(?:ing)?(?: for)?|other than|(?:apart|aside) from) {P} *,? *(?:please )?((?:fix|change|edit|update|modify|rewrite|refactor|format|reformat|bump|clean|tidy|migrate) .*)`, "never touch $1; $2"),
	worded("excluded|exempt", `(?:,| -| with) {P} (?:excluded|exempt(?:ed)?){E}`, "; never touch $1$2"),
	worded("(", `\((?:but )?(?:not|except(?: for)?|without|excluding) {1}\)`, ", not $1"),
	worded("test", `\b(?:only {V}|{V} only) (?:(?:the|my|our|existing|unit) )*tests?(?: files?)?{E}`, "only change *test*, tests/, *.spec.*, spec/$3"),
	worded("テスト", `(^|[。、\s])テスト(?:ファイル|コード)?(だけ|のみ)(を?(?:変更|編集|修正|直し|触))`, "$1 *test*、tests/、*.spec.*$2$3"),
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
