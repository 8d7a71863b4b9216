package phrase

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lazy"
)

// A key that has no beginning of its own is known by what calls it one: API_KEY=…, Authorization: Bearer …, my key is ….
//
// beside is such a name, what stands behind it, and what may be the key.
var beside = &lazy.Pattern{X: `(?i:key|token|secret|passw(?:or)?d|passphrase|bearer|basic|cookie|鍵|キー|トークン|パスワード|シークレット)(?i:s|_?\d+|_[a-z0-9_]*)?` +
	`([^A-Za-z0-9_]+(?:[A-Za-z]{1,14}[^A-Za-z0-9]+){0,3}?)([A-Za-z0-9][A-Za-z0-9_./+~-]{14,}[A-Za-z0-9_-]={0,2})`}

// named are the names alone.
var named = &lazy.Pattern{X: `(?i)key|token|secret|passw|passphrase|bearer|basic|cookie|鍵|キー|トークン|パスワード|シークレット`}

// also is what leads from one key to the next that has the same name.
var also = &lazy.Pattern{X: `^["'\x60>)」』]*(?:\s*(?:,|、|&|and|or|と))+\s*["'\x60<(「『]*([A-Za-z0-9][A-Za-z0-9_./+~-]{14,}[A-Za-z0-9_-]={0,2})`}

// passing is a password in an address, or on curl's command line, and the words before it; posed is what stands there as an example.
var (
	passing = &lazy.Pattern{X: `(://(?:[^\s/:@"'<>]*:)?|\bcurl\b[^\n|;]*?\s(?:-u|--user)[ =]?["']?[\w.@+-]+:)([^\s/:@"'<>(\[{$%*…]{4,})(@|["'\s]|$)`}
	posed   = &lazy.Pattern{X: `(?i)^(?:(?:my|your|the|db|test|api)?[_-]?(?:pass(?:wd|word|phrase)?|pw|pwd|secret|token|key|postgres|mysql|root|admin|user(?:name)?|test|guest|example|change[_-]?me|x{4,})\d{0,4})$`}
)

var (
	// benign is in the names of what is no secret.
	benign = &lazy.Pattern{X: `(?i)publi|primary|foreign|cache|idempoten|sort|partition|object|lookup|index|dedup|etag|next|page|continu|cursor|sync|restore|recv|site_?key|hash|finger|digest|checksum|trace|(?:key|secret|token)_?(?:id|name|path|file|type|stroke)|hostkey|monkey|turkey|hotkey`}
	// listed is a name that what stands in tables and lists has, too, and owned what says before it that it is none of these.
	listed = &lazy.Pattern{X: `(?i)^(?:keys?|キー|鍵)$`}
	owned  = &lazy.Pattern{X: `(?i)(?:api|access|secret|auth|private|licen[cs]e|my|our|openai|azure|mistral|together|groq|deepseek|cohere|zai)(?:'s)?(?:[\s_-]|: )*$`}
	// tied is what leads from a name to its value: what else stands between may speak of another thing.
	tied = &lazy.Pattern{X: `(?i)(?:^[^A-Za-z]*|\b(?:is|are|was|be|bearer|basic|token)\W*|\b(?:to|as)\s+["'\x60<(]*|[=:：＝は]\s*["'\x60<(「『]*)$`}
	// stated is what leads to a value that can be nothing but the key, whatever is known of the name.
	stated = &lazy.Pattern{X: `^(?:\s*は\s*["\x60「『]*|\s*[(（「『>]|\s+is\s+["\x60]*)$`}
	// ending is the end of a file's name, or of one with dots in it.
	ending = &lazy.Pattern{X: `\.[A-Za-z][A-Za-z0-9]{0,4}$`}
)

// Withheld is a text that a person wrote, without what has the form of a key, or is one by what stands before it, and without a
// key that is all of it. Code that only says where a key would stand, and the numbers of commits and of files, are no keys.
func Withheld(text string) string {
	if plain := Narrow(Clean(text)); plain != text { // a key that is written wide, or with what nobody sees in it
		if found := withheld(plain); found != Narrow(Clean(withheld(text))) {
			return found
		}
	}
	return withheld(text)
}

func withheld(text string) string {
	text = passless(Masked(text))
	if lone(Unwrapped(text)) {
		return "…"
	}
	if at := strings.LastIndexByte(text, ' ') + 1; strings.HasPrefix(text, "/") && lone(text[at:]) && !hexadecimal(text[at:]) { // behind a command
		return text[:at] + "…"
	}
	if !named.In(text) {
		return text
	}
	text = without(text)
	var b strings.Builder
	for at := 0; ; {
		m := beside.Re().FindStringSubmatchIndex(text[at:])
		if m == nil {
			return b.String() + text[at:]
		}
		name, from, to := at+m[2], at+m[4], at+m[5]
		if called(text[:name], text[name:from], text[from:to]) && !strings.HasPrefix(text[to:], "(") && !strings.HasPrefix(text[to:], "[") && !strings.HasPrefix(text[to:], "@") {
			b.WriteString(text[at:from] + "…")
			for at = to; ; {
				m := also.Re().FindStringSubmatchIndex(text[at:])
				if m == nil || !called(text[:name], text[name:from], text[at+m[2]:at+m[3]]) {
					break
				}
				b.WriteString(text[at:at+m[2]] + "…")
				at += m[3]
			}
			continue
		}
		b.WriteString(text[at:name])
		at = name
	}
}

// apart are words of letters and digits that are no part of a path, a sum or an address.
var apart = &lazy.Pattern{X: `(?:^|[\s"'\x60<(「『、。はがを:])([A-Za-z0-9]{32,84})(?:$|[\s"'\x60>)」』、。,.;?!はがを])`}

// without is a text without the words that are like keys, in lines that speak of one.
func without(text string) string {
	if !apart.In(text) {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		for _, m := range apart.Re().FindAllStringSubmatch(line, -1) {
			if lone(m[1]) && !hexadecimal(m[1]) && named.In(line) && !benign.In(line) {
				line = strings.Replace(line, m[1], "…", 1)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// passless is a text without the passwords in its addresses.
func passless(text string) string {
	if !passing.In(text) {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range passing.Re().FindAllStringSubmatchIndex(text, -1) {
		before, word := text[m[2]:m[3]], text[m[4]:m[5]]
		curl := !strings.HasPrefix(before, "://")
		if curl == (text[m[6]:m[7]] == "@") || posed.In(word) || !strings.HasSuffix(before, ":") && !random(word, randomly) || strings.HasSuffix(strings.TrimSuffix(before, ":"), "/"+word) {
			continue
		}
		b.WriteString(text[at:m[4]] + "…")
		at = m[5]
	}
	return b.String() + text[at:]
}

// called reports whether what stands behind the name at the end of a text is a key.
func called(text, between, value string) bool {
	text = strings.ToValidUTF8(text[max(0, len(text)-48):], "")
	text = text[strings.LastIndexAny(text, "\n;,")+1:]
	before := strings.TrimRightFunc(text, inName)
	name := text[len(before):]
	if benign.In(name) || benign.In(before[strings.LastIndexByte(strings.TrimSpace(before), ' ')+1:]) {
		return false
	}
	strong := !listed.In(name) || owned.In(before) || owned.In(strings.TrimRight(between, " =:：\"'")) || stated.In(between) && !strings.Contains(value, "-")
	tight := tied.In(between)
	if hexadecimal(value) && !(strong && tight) || !strings.HasPrefix(value, "eyJ") && ending.In(value) {
		return false
	}
	if len(value) >= 36 && strong && tight && strings.ToLower(value) != value && strings.Contains(strings.ToLower(text), "secret") {
		value = strings.NewReplacer("/", "", "+", "").Replace(value)
	}
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("-_./+~=", r) }) {
		if strong && tight && (drawn(part, randomly, 1) || hexadecimal(part) && random(part, bare)) || drawn(part, certainly, 2) && strings.ToLower(part) != part && strings.ToUpper(part) != part {
			return true
		}
	}
	return false
}

func inName(r rune) bool {
	return r == '_' || r == '.' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// hexadecimal reports whether a text is written as the numbers of commits, files and lists are.
func hexadecimal(text string) bool {
	return strings.Trim(text, "0123456789abcdef-") == "" || strings.Trim(text, "0123456789ABCDEF-") == ""
}

// drawn reports whether a word is as if its characters had been drawn: every few are of another kind than the one before, digits
// stand in so many places of its midst, and few go on from one another.
func drawn(word string, least, places int) bool {
	changes, digits, steps := 0, 0, 0
	for i := 1; i < len(word); i++ {
		if k := kindOf(word[i]); k != kindOf(word[i-1]) {
			changes++
			if k == 0 && i < len(word)-1 {
				digits++
			}
		}
		if word[i]-word[i-1] < 2 {
			steps++
		}
	}
	return len(word) >= least && (6-places)*changes >= len(word) && digits >= places && 3*steps < len(word) && random(word, least)
}

// kindOf is what a letter or a digit is.
func kindOf(c byte) int {
	switch {
	case c <= '9':
		return 0
	case c <= 'Z':
		return 1
	}
	return 2
}

// bare is how many letters and digits in a row are in every key that has no beginning of its own, and longest how many are in the longest.
const bare, longest = 32, 84

// address is of a purse, or of a file in IPFS.
var address = &lazy.Pattern{X: `^(?:bc1[a-z0-9]+|Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{56}|[13][1-9A-HJ-NP-Za-km-z]{25,33})$`}

// lone reports whether a word is like such a key, and not like the number of a commit or a file.
func lone(word string) bool {
	return len(word) >= bare && len(word) <= longest && !strings.ContainsFunc(word, parts) && !hexadecimal(word) && !address.In(word) && drawn(word, bare, 2)
}

// Bare reports whether a word that stands where a name does could be a key of any form: names have fewer letters and digits in a row, but
// for the sum of a file behind what says that it is one.
func Bare(word string) bool {
	word = Unwrapped(word)
	word = word[strings.LastIndexByte(word, '/')+1:]
	for part := range rows(word) {
		if (len(part) >= bare || mixed(part)) && (len(part) == len(word) || !hexadecimal(part)) {
			return true
		}
	}
	return Masked(word) != word
}

// Mixed reports whether so many letters and digits stand in a row in a word as in what programs make, and hardly elsewhere.
func Mixed(word string) bool {
	for part := range rows(word) {
		if mixed(part) {
			return true
		}
	}
	return false
}

func mixed(part string) bool {
	digits := 0
	for _, c := range part {
		if c <= '9' {
			digits++
		}
	}
	return len(part) >= 24 && digits >= 4 && len(part)-digits >= 4
}

func rows(word string) iter.Seq[string] {
	return strings.FieldsFuncSeq(word, parts)
}

// parts reports whether a character is neither a letter nor a digit of a key.
func parts(r rune) bool { return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) }
