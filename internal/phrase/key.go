package phrase

import (
	"strings"
	"unicode"

	"nebula/internal/lazy"
)

// keyForms are the forms of providers' keys: what they begin with, and what tells one from another.
var keyForms = &lazy.Pattern{X: `(?i:(sk-(?:ant-|or-|proj-|svcacct-)?|csk-|xai-|pplx-|nvapi-|aiza|\baq\.ab|\bya29\.|\bgocspx-|github_pat_|glpat-|xox[abeprs]-|tvly-)([a-z0-9_-]{16,})|(gsk_|hf_|fw_|tgp_v1_|gh[opsru]_|npm_|r8_|[rs]k_live_)([a-z0-9]{20,}))|\b()([0-9a-f]{32}\.[A-Za-z0-9]{16})\b` +
	`|\b(?:(ABSK)([A-Za-z0-9+/]{24,}={0,2})|(SG\.)([\w-]{16,}\.[\w-]{16,})|(eyJ)([\w-]{8,}\.[\w-]{8,}\.[\w-]{16,}))`}

// keyFurther is the rest of a key that the end of a line broke, a blank, or a sign between two texts.
var keyFurther = &lazy.Pattern{X: `^(?:\\?\r?\n[ \t]*| |["']\s*\+\s*["'])([A-Za-z0-9_-]{12,})`}

// keyWithin is what stands before a key, where that may be a word's end: a letter that is not the end of a terminal's code.
var keyWithin = &lazy.Pattern{X: `(?:^|[^\x1b;0-9\[])[;0-9\[]*[A-Za-z]$`}

// behind is how many letters and digits in a row behind a key and a blank are the rest of it.
const behind = 16

// randomly is how many letters and digits stand in a row somewhere in every key, and in no name that people give; certainly is how many
// do where a word may only end as a key begins.
const randomly, certainly = 12, 20

// Masked is a text with only the beginnings of what has the form of a provider's key: sk-ant-….
func Masked(text string) string {
	if !runs(text) || !keyForms.In(text) {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range keyForms.Re().FindAllStringSubmatchIndex(text, -1) {
		if m[0] < at {
			continue
		}
		i := 2 // the part that was found: its beginning, and behind it the rest
		for m[i] < 0 {
			i += 4
		}
		least, begins := randomly, strings.ToLower(text[m[i]:m[i+1]])
		if keyWithin.Re().MatchString(text[max(0, m[0]-16):m[0]]) {
			least = certainly
		}
		if least == certainly && begins == "sk-" || begins == "" && !strings.ContainsFunc(text[m[i+2]:m[i+3]], unicode.IsUpper) || !random(text[m[i+2]:m[i+3]], least) {
			continue // task-0123…, and the number of a trace
		}
		b.WriteString(text[at:m[i+1]] + "…")
		for at = m[1]; ; {
			more := keyFurther.Re().FindStringSubmatch(text[at:])
			if more == nil || keyForms.In(more[1]) || !random(more[1], randomly) || more[0][0] == ' ' && !random(more[1], behind) {
				break
			}
			at += len(more[0])
		}
	}
	return b.String() + text[at:]
}

// runs reports whether so many characters stand in a row somewhere as in every key, with a digit among them: in most texts none do, and
// nothing is searched then.
func runs(text string) bool {
	n, digits := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			n, digits = n+1, digits+1
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '-':
			n++
		default:
			n, digits = 0, 0
		}
		if n >= 16 && digits > 0 {
			return true
		}
	}
	return false
}

// random reports whether a text is like what no person thinks of: with a digit, and with so many letters and digits in a row, most of which
// do not go on from one another, as they do in an example.
func random(text string, least int) bool {
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("-_.+/", r) }) {
		steps, kinds := 0, map[byte]bool{}
		for i := range len(part) {
			kinds[part[i]] = true
			if i > 0 && part[i]-part[i-1] < 2 {
				steps++
			}
		}
		if len(part) >= least && 4*steps < 3*len(part) && len(kinds) > randomly/2 {
			return true
		}
	}
	return false
}

// noKey is what people write where a server asks for some key, and none: it is no secret.
var noKey = &lazy.Pattern{X: `(?i)^(?:sk-)?(?:(?:no|not|none|dummy|fake|your|example|local)[-_]|(?:gpt|claude|gemini)-\d?)[a-z0-9._-]{0,24}$`}

// IsExample reports whether what stands in a key's place is no secret, but words, or the name of a model.
func IsExample(key string) bool { return noKey.In(key) && !random(key, randomly) }

// OneWord reports whether a text could be a key of any form: letters, digits and signs without a blank.
func OneWord(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// assigned is what stands before a key where its variable is set.
var assigned = &lazy.Pattern{X: `^(?:export\s+|set\s+|\$env:)?([A-Z][A-Z0-9]*_[A-Z0-9_]*)\s*=\s*`}

// Given is a key that a person gave, alone or as a file sets it, and the variable that is set, where there is one.
func Given(text string) (key, variable string) {
	key = Unwrapped(strings.TrimPrefix(text, "\ufeff"))
	if m := assigned.Re().FindStringSubmatch(key); m != nil {
		key, variable = key[len(m[0]):], m[1]
	}
	return Unwrapped(key), variable
}

// IsKey reports whether a word has the form of a key.
func IsKey(word string) bool {
	word = Unwrapped(word)
	m := Masked(word)
	return m != word && strings.HasSuffix(m, "…") && keyForms.Re().FindStringIndex(word)[0] == 0 && !strings.ContainsAny(m, " /\n")
}
