package state

import (
	"strings"

	"nebula/internal/lazy"
)

// fileKinds are words for kinds of files, with the patterns of their names.
var fileKinds = [...]struct{ words, names string }{
	{"yaml yml", "*.yaml *.yml"}, {"markdown md マークダウン", "*.md *.markdown"}, {"json", "*.json *.jsonc"}, {"python py", "*.py *.pyi"}, {"go golang", "*.go"},
	{"javascript js", "*.js *.jsx *.mjs *.cjs"}, {"typescript ts", "*.ts *.tsx *.mts *.cts"}, {"shell sh bash", "*.sh *.bash"}, {"html", "*.html *.htm"},
	{"text txt テキスト", "*.txt"}, {"terraform tf", "*.tf *.tfvars"}, {"rust rs", "*.rs"}, {"ruby rb", "*.rb"}, {"protobuf proto", "*.proto"}, {"lock", "*.lock *-lock.* *.lockb go.sum"},
	{"env", ".env .env.* *.env"}, {"config configuration 設定", "config/ config.* *.config.* *.yaml *.yml *.toml *.ini *.cfg *.conf .*rc"}, {"readme", "README.*"}, {"dotfiles hidden 隠し ドット", aHidden},
	{"css", "*.css *.scss *.sass *.less"}, {"kotlin", "*.kt *.kts"}, {"perl", "*.pl *.pm"}, {"haskell", "*.hs"}, {"elixir", "*.ex *.exs"}, {"c++ cpp", "*.cpp *.cc *.cxx *.hpp *.h"}, {"c#", "*.cs"}, {"vue", "*.vue"}, {"dart", "*.dart"}, {"scala", "*.scala"},
}

// kindWord is a word for a kind of files, or their ending.
const kindWord = `(?:\.[a-z]\w{0,9}|config(?:uration)?|readme|dotfiles|hidden|隠し|ドット|設定|yaml|yml|markdown|md|json|toml|xml|csv|ini|conf|cfg|python|py|(?-i:Go)|javascript|js|typescript|ts|shell|sh|bash|html|css|scss|sql|text|txt|terraform|tf|rust|rs|ruby|rb|java|kotlin|swift|php|lua|proto|protobuf|lock|env|svg|png|マークダウン|テキスト)`

// kinds is a sentence in which patterns stand for the kinds of files that it names: all yml files, files that end in .yml, YAMLファイル.
func kinds(sentence string) string {
	sentence = braced.For(sentence).ReplaceAllStringFunc(sentence, func(found string) string {
		head, list, _ := strings.Cut(strings.TrimSuffix(found, "}"), "{")
		return head + strings.ReplaceAll(list, ",", ", "+head)
	})
	for _, row := range kindForms {
		re := row.of.For(sentence)
		sentence = re.ReplaceAllStringFunc(sentence, func(found string) string {
			m := re.FindStringSubmatch(found)
			var names []string
			for _, word := range kindWords.For(m[2]).FindAllString(m[2], -1) {
				names = append(names, namesOfKind(word)...)
			}
			return m[1] + strings.Join(names, row.comma) + m[3]
		})
	}
	return rewordedBy(rewordings("tongueRows"), rewordedBy(rewordings("spokenRows"), foldered(rewordedBy(rewordings("turnedRows"), sentence))))
}

// foldered is a sentence with the mark of a folder behind a bare word of which it says that it is to stay: api is not yours; apiは触らないで. In
// English a verb before its name takes that as it is.
func foldered(sentence string) string {
	for _, form := range [...]*lazy.Pattern{bareFolder, bareJapanese} {
		if re := form.For(sentence); re.MatchString(sentence) {
			sentence = re.ReplaceAllStringFunc(sentence, func(found string) string {
				m := re.FindStringSubmatch(found)
				if (token{low: strings.ToLower(m[2])}).is(noFolders) {
					return found
				}
				return m[1] + m[2] + "/" + m[3]
			})
		}
	}
	return sentence
}

// noFolders are words that stand where the name of a folder does.
const noFolders = " it that this these those they he she you i we name names code everything anything nothing something all none what which who there here nobody file files folder folders directory project repo repository test tests makefile dockerfile license git history behavior behaviour output "

var (
	bareFolder = &lazy.Pattern{X: `(?i)(^\W*|[.,;:!—–] +|\(|\b(?:and|but|so|please) )(?:(?:the|my|our) )?(?:\./|["\x60“‘'])?([a-z][\w-]*)["\x60”’']?(?: (?:folder|directory|dir))?( (?:(?:(?:is|are)(?: not|n't)? (?:yours(?: to \w+)?|off[- ]limits|out of bounds|frozen|read-only|untouchable|taboo|sacred|sacrosanct|none of your business)|` +
		`(?:must not|mustn't|should not|shouldn't|may not|shall not|is not to|are not to) (?:be (?:changed|touched|edited|modified|altered)|change))(?: (?:for|to) you| for now| at all| please)*(?:\W*$|[,;!)]\s| and | but )|(?:(?:must|should|has to) )?(?:stays?|remains?) (?:as (?:it )?is|un|the way)|belongs to [^.;,]*, ?(?:stay|keep|hands)))`}
	bareJapanese = &lazy.Pattern{X: `(?i)(^|[^\w./*@-])["\x60「『“]?(?:\./)?([a-z][\w-]*)["\x60」』”]?(?:フォルダー?|ディレクトリ)?( ?(?:の(?:中身?|下|配下|フォルダー?|ディレクトリ|ファイル))*(?:は|に|を|も|以外)+[^。、]{0,6}?(?:触|さわ|弄|いじ|変[えわ更]|書き換え|編集|修正|手[をの出]|そのまま|現状|今のまま|対象外|ノータッチ|放っ|ほっとい|読み取り専用|あなたの|君の))`}
)

// namesOfKind are the patterns that a word for a kind of files stands for; an ending stands for itself.
func namesOfKind(word string) []string {
	word = strings.ToLower(word)
	if strings.HasPrefix(word, ".") {
		return []string{"*" + word}
	}
	for _, k := range fileKinds {
		if strings.Contains(" "+k.words+" ", " "+word+" ") {
			return strings.Fields(k.names)
		}
	}
	return []string{"*." + word}
}

// kindForms are the ways to name a kind: what stands before it, its words, and what stands behind.
var kindForms = [...]struct {
	of    *lazy.Pattern
	comma string
}{
	{&lazy.Pattern{X: `(?i)(^|\W)(?:files?|anything|everything|names?) (?:ending|that ends?|which ends?|with (?:the|an?) (?:extension|suffix|ending))(?: (?:in|with|on|of))? [\x60'"]?\*?(\.[a-z]\w{0,9})\b([\x60'"]?)`}, ", "},
	{&lazy.Pattern{X: `(?i)()拡張子(?:が|は)?\s*[\x60「]?\*?(\.?[a-z]\w{0,9})[\x60」]?\s*の(?:もの|ファイル)()`}, "、"},
	{&lazy.Pattern{X: `(?i)(^|[^\w.*/-])(` + kindList + `)[- ]?(?:(?:source|config(?:uration)?|manifest|data) )?\b(?:files?|configs?|manifests?|scripts?)\b()`}, ", "},
	{&lazy.Pattern{X: `(?i)(\b(?:the|any|my|our|touch|change|edit|modify|alter) )(go)(?: source)? (?:files|code)\b()`}, ", "},
	{&lazy.Pattern{X: `(?i)(^|[^\w.*/-])(dotfiles|hidden(?: files?)|lockfiles?)\b()`}, ", "},
	{&lazy.Pattern{X: `(?i)(^|[^\w.*/-])(` + kindLanguages + `(?:(?:,? (?:or|and|nor) |, )` + kindLanguages + `)*)(?:[- ](?:source )?(?:code|sources?|stylesheets?|quer(?:y|ies)|side))((?:,? (?:please|yet|at all|for now|here))*(?:\W*$|[,;:.!] | (?:alone|as (?:it |they )?(?:is|are)|untouched|unchanged|must|should|may|stays?|is off|is frozen|or|and|but|for now)\b))`}, ", "},
	{&lazy.Pattern{X: `(?i)(\b(?:any|the|all|my|our) )(yaml|yml|markdown)((?:,? please)?\W*$)`}, ", "},
	{&lazy.Pattern{X: `(?i)(` + kindVerbs + `)(` + kindNames + `)((?:,? please)?(?:\W*$|[,;:] | (?:and|or|but|if|unless) ))`}, ", "},
	{&lazy.Pattern{X: `(?i)(\b(?:leave|keep) (?:(?:any|the|all|my|our) )*)(` + kindNames + `)( (?:alone|as (?:it |they )?(?:is|are)|untouched|unchanged)\b)`}, ", "},
	{&lazy.Pattern{X: `(?i)((?:,? (?:and|or|nor)|\b(?:every|any|no)thing but) )(?:the )?(readme)(\W*$|[,;] | may\b| (?:alone|as|untouched|unchanged)\b)`}, ", "},
	{&lazy.Pattern{X: `(?i)(^\W*(?:the )?|[,;] (?:the )?)(readme)( (?:must|should|may|stays?|remains?|is (?:off|frozen|read-only|not to|to stay))\b)`}, ", "},
	{&lazy.Pattern{X: `(^|[^\w.*/-])(README)(\s?(?:は|には|を|も))`}, "、"},
	{&lazy.Pattern{X: `(?i)(^|[^\w.*/-])(` + kindList + `)(?:系|形式|の|設定|ソース)*(?:ファイル|スクリプト)(?:類|全部|全て|すべて)?()`}, "、"},
	{&lazy.Pattern{X: `(?i)(^|[^\w.*/-])(yaml|yml|markdown|md|マークダウン)(\s?(?:は|には|を))`}, "、"},
	{&lazy.Pattern{X: `(?i)(^|[\s(、と「\x60"'])(\.(?:ya?ml|md|json|toml|xml|csv|ini|py|go|jsx?|tsx?|sh|html?|css|sql|txt|rs|rb|java|kt|proto|lock|tf))([^\w./*-]|\.?$|\.\s)`}, ", "},
}

// kindLanguages are the languages that code is in.
const kindLanguages = `(?:python|(?-i:Go)|golang|javascript|js|typescript|ts|shell|bash|html|css|scss|sql|rust|ruby|java|kotlin|swift|php|lua|perl|haskell|elixir|c\+\+|cpp|c#|vue|dart|scala)`

const kindList = kindWord + `(?:(?:,? (?:or|and|nor) (?:any )?|, |/|、|や|と|・)` + kindWord + `)*`

// kindNames are kinds that are called by their bare name, kindVerbs what stands before it where it is what may or may not change.
const (
	kindNames = `config(?:uration)?|yaml|yml|markdown|json|toml|xml|csv|css|html|sql|readme|typescript|javascript|python`
	kindVerbs = `\b(?:(?:touch|chang|modify|edit|alter)(?:e|ing)?|hands off|except(?: for)?|changes to|edits to)(?: of)? (?:(?:only|any|the|all|my|our|of) )*`
)

var (
	braced    = &lazy.Pattern{X: `[\w./*-]*\*\.\{\w+(?:,\w+)*\}`}
	kindWords = &lazy.Pattern{X: `(?i)` + kindWord + `|` + kindLanguages + `|\bgo\b`}
)
