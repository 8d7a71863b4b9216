package state

import (
	"regexp"
	"strings"
	"sync"

	"nebula/internal/lazy"
)

// A rewording is another way to say what the readers of sentences know in one: P are paths, V a verb of changing, A an act, E where a
// statement ends, which stays.
type rewording struct {
	has string // words of which one stands in the sentence, parted by |
	of  string // with places, see wordedParts and spokenParts
	as  string
}

// expression is what the row is looked for by.
func (r rewording) expression() *regexp.Regexp {
	return lazy.Once(r.of, func(of string) string {
		return `(?i)` + wordedParts().Replace(spokenParts().Replace(clauseParts().Replace(clauseParts().Replace(of))))
	}).Re()
}

// wordedParts are the places in rewordings.
var wordedParts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("{P}", "("+wordedPaths+")", "{V}", `(touch|change|modify|edit|alter|rewrite)`, "{A}", `((?:commit|push|pull request|merge|rebas|stash|publish|deploy|install|deploy|delet|tagg?|amend|releas)\w*)`,
		"{E}", `(?:,? (?:please|pls|thanks|thx))?(\W*$|[,;!]\s)`, "{T}", wordedTools, "{U}", "(?:"+wordedTools+"|"+wordedTexts+")", "{D}", wordedDeeds, "{R}", wordedTested, "{S}", wordedServer, "{.}", `(\s|[.,;:!?)]+(?:\s|$)|$)`, "{F}", `(?:use|change|edit|modify|touch|alter|work (?:in|on|with)|(?:stay|keep) (?:in|within|to)|stick to|extend|limit yourself to)`, "{not}", `(?:must not|mustn't|should not|shouldn't|may not|shall not|cannot|can't|can not)`)
})

const (
	wordedPath   = `\x60?(?:[\w@+*./-]*[\w@+*-]?[./][\w@+*./-]*[\w*]/?|[\w@+*.-]+/|Makefile|Dockerfile|LICENSE)\x60?`
	wordedPaths  = `(?:` + wordedPath + `(?:, and |, or |, | and | or |、|と|や)?)+`
	wordedTools  = `(git|npm|npx|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|make|gh|docker|podman|kubectl|terraform|curl|wget|brew|apt|apt-get|sudo|ssh|sed|awk|perl|grep|rg|tee|jq|xargs)`
	wordedTexts  = `(python3?|ruby|node|php)` // languages too: only what is used is meant, not what is done without
	wordedServer = `(?:(?:the|a|an|any|my|our|your|another|second|new|dev|development|debug|local|web|api|http|https|test|app|application|backend|frontend|flask|django|rails|node|express|fastapi|vite|next|preview|live|mock|docs) )*(?:(?:dev|web)-?)?(?:servers?|app|application|backend|frontend|daemon)`
	wordedTested = `\x60?(?:(?:(?:npm|pnpm|yarn|bun)(?: run)?|go|cargo|make|just|mvn|gradle|\./gradlew|deno|mix|rake|dotnet|swift) tests?|make check|python3? -m (?:pytest|unittest)|node --test|npx (?:jest|vitest|mocha))(?: \./\.\.\.)?\x60?`
	wordedDeeds  = `(?:touch|chang|modify|edit|alter|writ|rewrit|overwrit|updat|delet)(?:e|ing)?(?: to| into| in)?`
	wordedStill  = `((?:is|are) (?:frozen|off[- ]limits|read-only|untouchable|taboo)(?: (?:for|to) you| for now)?(?:\W*$|[,;!]\s)|(?:must|should|may|shall) not be (?:changed|touched|edited|modified)|(?:must |should )?stays? (?:as|un))`
	wordedDirs   = `(migrations?|fixtures|docs|schemas?|snapshots|examples|assets|scripts|configs?|protos?|templates|styles|translations|locales|workflows|generated)`
)

// reword is a sentence in the words that are read.
func reword(sentence string) string {
	return rewordedBy(rewordings("rewordings"), kinds(rewordedBy(rewordings("clauseRows"), sentence)))
}

// otherwise is what a sentence says of all that is not named beside it, which is to stay.
var otherwise = &lazy.Pattern{X: `(?i)\b(?:don't|do not|never) (?:touch|change|modify|edit) (?:any )?(?:others?\b(?: files?)?|(?:anything|files?) else)(?:\W*$|[,;])|\b(?:leave|keep) (?:everything|anything|all) else (?:alone|as it is|as is|untouched|unchanged)|,? nothing else\W*$|` +
	`(?:他|ほか|それ以外)(?:の(?:ファイル|部分|もの))?(?:は|には|を)?(?:触ら|触れ|変更し|変え|いじら|編集し|修正し)ない(?:で|こと)`}

// listed joins a heading with the list of paths below it, and a file that is told of with what is said of it behind.
func joined(text string) string {
	text = refusedLists(text)
	text = listedPaths.For(text).ReplaceAllStringFunc(text, func(found string) string {
		head, items, _ := strings.Cut(found, "\n")
		var names []string
		for item := range strings.Lines(items) {
			names = append(names, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(item), "-*• ")))
		}
		return strings.TrimRight(strings.TrimSpace(head), ":：") + " " + strings.Join(names, ", ") + "\n"
	})
	if strings.Contains(text, "server") {
		text = servedAlready.For(text).ReplaceAllString(text, "$1 $2 start the server")
	}
	return toldOf.For(text).ReplaceAllString(text, "${1}${2} ${3}. ${4} ${5} ${2}")
}

var (
	listedPaths   = &lazy.Pattern{X: `(?m)^.*\b(?:files?|folders?|these|following|paths?)\b.*[:：][ \t]*\n(?:[ \t]*[-*•][ \t]+` + wordedPath + `[ \t]*(?:\n|$))+`}
	servedAlready = &lazy.Pattern{X: `(?i)(\bservers?\b[^!?\n]{0,80}?[.!;,]) ((?:so |please )?(?:never|don't|do not|no need to)) (?:re)?(?:start|launch|run) (?:it(?: again)?|another(?: one)?|a (?:second|new)(?: one)?)\b`}
	toldOf        = &lazy.Pattern{X: `(?mi)(^|[.!] )((?:the (?:file|folder) )?` + wordedPath + `) ((?:is|was|comes|belongs)\b[^.!?\n]*)[.!;,] ((?:please )?(?:never|don't|do not|you must not)) (touch|change|modify|edit|alter) (?:it|them|that)\b`}
)
