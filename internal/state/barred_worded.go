package state

import (
	"strings"
	"sync"

	"nebula/internal/lazy"
)

// spokenParts are further places in rewordings: 1 is one path, B where a statement begins, refused a refusal with what it names first, M what
// must be.
var spokenParts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("{all}", `(?:everything|anything|(?:all|any|every)(?: (?:of )?the)?(?: other)? files?)(?: else)?`, "{butAll}", `(?:but|besides|save(?: for)?|except(?:ing)?(?: for)?|other than|barring|(?:apart|aside) from|with the exception of)`,
		"{as}", `(?:(?:(?:is|are)|(?:(?:must|should|ha(?:s|ve) to|needs? to) (?:be|stay|remain)|stays?|remains?)) (?:off[- ]limits|read-only|frozen|locked|untouchable|taboo|forbidden|un(?:touched|changed|modified)|intact|the same|as (?:it is|they are|is))(?: (?:for|to) you)?)`,
		"{end}", `(\W*(?:$|\n)|[.,;!]+\s)`, "{it}", "(?:it|them|that|these|those)", "{banned}", `(?:not (?:allowed|permitted|ok|okay|acceptable|an option)|forbidden|prohibited|off[- ]limits|taboo|out of the question)`, "{test}", `(?:(?:the|any|all|my|our|existing) )*tests?(?: files?)?`, "{p}", wordedPath,
		"{seen}", `((?:^|[.!?,;:\n] ?|\b(?:and|but|read|open|look at|look into|see|check|review|inspect|study|use|run|view|there is|there are|there's|consult|mind|note) )(?:(?:the|all|my|our|file|files|existing) )*)`, "{deDo}", deDo, "{deDone}", deDone, "{deOrder}", deOrder, "{deStill}", deStill, "{frOrder}", frOrder, "{frDo}", frDo, "{esDo}", esDo, "{esNot}", esNot, "{esOrder}", esOrder,
		"{1}", "("+wordedPath+")", "{ordered}", `((?:^|[.!?\n] ?|\b(?:please|and|then|now) )(?:fix|change|edit|update|modify|simplify|rewrite|refactor|improve|(?:re)?format|clean up|tidy up|correct)`,
		"{K}", `(?:changes?|edits?|modifications?)`, "{Z}", ` (?:alone|un(?:touched|changed|modified)|intact|as (?:it is|they are|is))`, "{I}", `(?:in|under|inside|within)`, "{Y}", `(?:(?:ok|okay|yes|now|and|then|so|please)\W+)*`, "{the}", `(?:the (?:file|folder) )?`,
		"{テ}", `テスト(?:ファイル|コード)?`, "{は}", `(には|に|は|を|も)`, "{触}", `(?:触[られ]|変更[しせ]|編集[しせ]|修正[しせ]|変え|いじら|書き換え)(?:ない(?:で|こと)(?:ください)?|ずに?)`, "{聞}", `(?:必ず|一度|私に|まず)*(?:聞いて|確認(?:して|を|$)|相談して)`, "{never}", `(?:never|do not|don't)`, "{but}", `(?:except(?:ing)?(?: for)?|other than|barring|(?:apart|aside) from|with the exception of)`, "{B}", `(^\W*|[.,;:!(] ?|\b(?:and|but|please|bitte|und|aber|et|mais|y|pero) )`, "{M}", `(?:must|should|shall|has to|have to|is to|are to|needs? to)`,
		"{refused}", `((?:^|[^\w'])(?:don't|do not|dont|never|hands off|without) (?:touch|chang|modify|edit|alter)?(?:e|ing)? ?`+wordedPaths+`)`,
		"{refuses}", `\b(never|do not|don't|dont|must not|not to|without)(?: ever)? `, "{O}", "(?:(?:all|any|the|my) )*other tests?(?: files?)?", "{n}", "(?:don't|do not|dont|never)", "{and}", `(?:,? (?:or|and|nor) (?:even )?|, )`,
		"{C}", `(?:touch|chang|modify|edit|alter|writ|rewrit|overwrit|updat|mov|renam|delet|remov|copy)(?:e|ing)?(?:,? (?:or|and|nor) (?:even )?|,? )`, "{G}", `(?:mov|renam|delet|remov)(?:e|ing)?`, "{L}", `(?:read|open|view|inspect|look at)(?:ing)?`,
		"{N}", `(?:files|folders|paths|things|what)(?: you| that)?(?: are| must| should)? not (?:to )?(?:be )?(?:touch|chang|modif|edit|alter)\w*`, "{die}", `(?:(?:bitte|die datei|den ordner|le fichier|le dossier|el archivo|la carpeta|à|a|le|la|el|de) )*`)
})

// rewordedBy is a text in which each row finds its words, from above to below.
func rewordedBy(rows []rewording, text string) string {
	for _, r := range rows {
		if lazy.Any(r.has, text) {
			text = r.expression().ReplaceAllString(text, r.as)
		}
	}
	return text
}
