package state

import (
	"strings"
	"sync"
)

// spokenParts are further places in rewordings: 1 is one path, B where a statement begins, refused a refusal with what it names first, M what
// must be.
var spokenParts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("{deDo}", deDo, "{deDone}", deDone, "{deOrder}", deOrder, "{deStill}", deStill, "{frOrder}", frOrder, "{frDo}", frDo, "{esDo}", esDo, "{esNot}", esNot, "{esOrder}", esOrder,
		"{1}", "("+wordedPath+")", "{B}", `(^\W*|[.,;:!(] ?|\b(?:and|but|please|bitte|und|aber|et|mais|y|pero) )`, "{M}", `(?:must|should|shall|has to|have to|is to|are to|needs? to)`,
		"{refused}", `((?:^|[^\w'])(?:don't|do not|dont|never|hands off|without) (?:touch|chang|modify|edit|alter)?(?:e|ing)? ?`+wordedPaths+`)`,
		"{N}", `(?:files|folders|paths|things|what)(?: you| that)?(?: are| must| should)? not (?:to )?(?:be )?(?:touch|chang|modif|edit|alter)\w*`, "{die}", `(?:(?:bitte|die datei|den ordner|le fichier|le dossier|el archivo|la carpeta|à|a|le|la|el|de) )*`)
})

// spokenRows are read before the other rewordings, each of what those before it left.
var spokenRows = []rewording{
	{"’", `’`, "'"},
	// What stands in brackets is a statement of its own.
	{"(", `\(((?:please |but |and )*(?:the (?:file|folder) )?{P} ?(?:{M}|is|are|stays?|remains?|may|can)\b[^()]*)\)`, "; $1; "},
	{"(", `{1} ?\((?:please )?(?:(?:do not|don't|never) (?:touch|change|edit|modify|alter)(?: (?:it|this))?|off[- ]limits|hands off|read-only|frozen|leave (?:it )?alone|leave as is|keep as is)\)`, "; never touch $1; "},
	// What is forbidden, before which it is.
	{"limits|only|frozen|untouchable", `{B}(?:off[- ]limits|read-only|frozen|untouchable)(?: (?:are|is))?: ?{P}`, "${1}never touch $2"},
	{"not to|not be", `^\W*{N}:? {P}`, "never touch $1"},
	// As it is said every day.
	{"nothing", `\bnothing (?:in|inside|within) (?:here|(?:this|the) (?:folder|directory|repo|repository|project|tree)) (may|can|shall|{M})\b`, "nothing $1"},
	{"nothing", `\bnothing (?:in|under|inside|below|within) (?:the )?{P}(?: (?:folder|directory))? (?:may|can|shall|{M}) (?:be )?(?:chang|touch|edit|alter|modif|delet|mov)\w*{E}`, "$1 must not be changed$2"},
	{"nothing", `\bnothing (?:in|under|inside|below|within) (?:the )?([\w-]{3,})(?: (?:folder|directory))? (?:may|can|shall|{M}) (?:be )?(?:chang|touch|edit|alter|modif|delet|mov)\w*{E}`, "$1/ must not be changed$2"},
	{"locked", `(^\W*|[;,] ){P} (?:is|are|stays?) locked(?: (?:down|for you|for now))*(\W*$|;)`, "${1}never touch $2$3"},
	{"freeze|protect|preserve|safeguard", `{B}(?:freeze|protect|preserve|safeguard) (?:the (?:file|folder) )?{P}(?: from (?:(?:any|all|further|being) )?(?:changes?|changed|edits?|edited))?{E}`, "${1}never touch $2$3"},
	{"preserved|protected|identical|the same", `{P} {M} (?:(?:be|stay|remain) (?:\w+ )?(?:preserved|protected|(?:byte[- ](?:for[- ]byte )?)?identical|the same))(?: as before| afterwards?| after (?:that|this))?{E}`, "$1 must not be changed$2"},
	{"important|essential|crucial|vital|critical", `\bit(?:'s| is) (?:important|essential|crucial|vital|critical)(?: to me)? that {P} (?:does not|doesn't|do not|don't|not|is not|isn't) (?:be )?(?:chang|modif|touch|edit|alter)\w*{E}`, "$1 must not be changed$2"},
	{"append", `\b(?:append|prepend)(?:ing)? (?:(?:anything|lines?|text) )?to {P}`, "write to $1"},
	{"you", `{P} you (?:can't|cannot|can not|must not|mustn't|may not|shouldn't|should not)(?: (?:touch|change|edit|modify))?{E}`, "never touch $1$2"},
	{"except|other than|apart|aside", `^\W*(?:except(?:ing)?(?: for)?|other than|(?:apart|aside) from) {P} *,? *(?:please )?((?:fix|change|edit|update|modify|rewrite|refactor|format|reformat|bump|clean|tidy|migrate) .*)`, "never touch $1; $2"},
	{"excluded|exempt", `(?:,| -| with) {P} (?:excluded|exempt(?:ed)?){E}`, "; never touch $1$2"},
	{"(", `\((?:but )?(?:not|except(?: for)?|without|excluding) {1}\)`, ", not $1"},
	{"test", `\b(?:only {V}|{V} only) (?:(?:the|my|our|existing|unit) )*tests?(?: files?)?{E}`, "only change *test*, tests/, *.spec.*, spec/$3"},
	{"テスト", `(^|[。、\s])テスト(?:ファイル|コード)?(だけ|のみ)(を?(?:変更|編集|修正|直し|触))`, "$1 *test*、tests/、*.spec.*$2$3"},
	// What sounds as if it forbade.
	{"just|only|merely|simply|solely", `\b(?:don't|do not|dont|never) (?:just|only|merely|simply|solely) (\w)`, "$1"},
	{"なく|ならず", `(?:だけ(?:で(?:は)?|じゃ)なく(?:て)?|のみならず)(?:、)?`, "と"},
	{"say|said|read|complain|warn|print|tell", `^\W*(?:the|our|a|an|this) (?:\w+ )?(?:linter|compiler|formatter|tests?|tool|error|message|logs?|docs|readme|comment|output|warning|ci|script|build|header|banner)(?: \w+)? (?:says?|said|reads?|complains?|warns?|prints?|tells? \w+)\b[^;]*`, ""},
}

// spokenTexts are read of a whole message: what a list or a sentence adds to what was forbidden before it.
var spokenTexts = []rewording{
	{"\n", `(?m)(^|[.!] )(?:please )?(?:(?:do not|don't|never) {V}(?: (?:these|the following)(?: files)?)?|off[- ]limits|hands off|read-only|frozen|untouchable|leave alone|{N})(?: \([^)\n]*\))?[ \t]*[:：][ \t]*\n((?:[ \t]*(?:[-*•]|\d+[.)])[ \t]+` + wordedPath + `[ \t]*(?:\n|$))+)`, "${1}Never touch these files:\n$3"},
	{"not|nor|neither|either|same|likewise|ditto", `{refused}(?:[.;,]? (?:[-–—] )?(?:and |but |or )?(?:also not|nor|neither|(?:the )?same (?:(?:goes |holds |applies )?(?:for|to|with))|likewise(?: for)?|ditto(?: for)?) {1}|[;,]? (?:[-–—] )?(?:and |but )?(?:not )?{1} (?:n?either)\b)`, "$1. Never touch $2$3"},
}

// rewordedBy is a text in which each row finds its words, from above to below.
func rewordedBy(rows []rewording, text string) string {
	low := strings.ToLower(text)
	for _, r := range rows {
		for has := range strings.SplitSeq(r.has, "|") {
			if strings.Contains(low, has) {
				text = r.expression().ReplaceAllString(text, r.as)
				break
			}
		}
	}
	return text
}
