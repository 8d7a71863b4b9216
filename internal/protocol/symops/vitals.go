package symops

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Vitals are the model's report of its condition by the language's letters c, m, f and s, each 0..1.
type Vitals map[byte]float64

const vitalKeys = "cmfs"

const (
	filled = "█▓▰■●⬛★▮🟩🟢🟦🔵" // of a gauge
	gauges = filled + "░▒▱□○⬜☆▯⬚⚪"
)

// vital is one of them in any spelling: symbol, name, what parts them, a gauge, a number, its unit, a remark in brackets.
var vital = &lazy.Pattern{X: "^(#[# ]*)?([\\p{L}ー]+)(?: level| score)?([ \\t:：=\"*'`(\\[|は]*)([" + gauges + "][" + gauges + " \\]|(]*)?([0-9.]*)" +
	"( *(?:%|/100|/10|/1(?:\\.0)?))?( *\\([^0-9)]*\\))?"}

// described is a value in words, with or without a number in brackets: good (80%).
var described = &lazy.Pattern{X: `^([^:=.!?0-9$@(),;|/、#]{1,40})(?:\(([0-9.]+)(%?)\)?)?`}

// strictVitals reports whether a line is #c0.85 #m0.78 and so on, as taught.
func strictVitals(s string) bool {
	return strings.HasPrefix(s, "#") && len(s) < longest && taughtVitals(s) != nil
}

func taughtVitals(s string) Vitals {
	v := Vitals{}
	for f := range strings.FieldsSeq(s) {
		if len(f) < 3 || f[0] != '#' || strings.IndexByte(vitalKeys, f[1]) < 0 || strings.Trim(f[2:], "0123456789.") != "" {
			return nil
		}
		n, err := strconv.ParseFloat(f[2:], 64)
		if err != nil || n > 1 {
			return nil
		}
		v[f[1]] = n
	}
	return v
}

// readVitals reads a line that holds nothing but vitals, in any spelling, and names the repairs it took. Later
// values win.
func readVitals(s string) (v Vitals, repairs []string, ok bool) {
	if !mayBeVitals(s) {
		return nil, nil, false
	}
	if v = taughtVitals(s); v != nil {
		return v, nil, true
	}
	r := vitalsReader{v: Vitals{}}
	rest := strings.TrimLeftFunc(fold(s), between)
	for more := true; rest != "" && more; rest = strings.TrimLeftFunc(rest, between) {
		rest, more = r.next(rest)
	}
	switch {
	case rest != "": // a remark may stand behind vitals that were written with their symbols
		if ok = r.hashes > 0 && r.hashes == r.pairs; ok {
			r.repair("vitals_remark")
		}
	case r.big > 0:
		r.repair("vitals_percent")
		ok = r.big > 1 && r.big == r.pairs
	default:
		ok = r.hashes > 0 || r.pairs > 1 || r.pairs > 0 && r.vague > 0 || r.pairs == 1 && lists.Has(r.repairs, "vitals_words")
	}
	if r.vague > 0 {
		r.repair("vitals_vague")
	}
	return r.v, r.repairs, ok
}

type vitalsReader struct {
	v       Vitals
	hashes  int
	big     int // values above one that say nothing of percent
	pairs   int
	vague   int // vitals whose value is no number
	repairs []string
}

// between reports whether a rune stands between two vitals: punctuation, Markdown, pictures.
func between(c rune) bool {
	return c < 0x80 && strings.ContainsRune(" \t,;|/[](){}*\"'`_-~", c) || c >= 0x80 && ornament(c)
}

// ornament reports whether a rune says nothing: a separator or a picture.
func ornament(c rune) bool {
	return c == '·' || c == '、' || c == '，' || c == '。' || c == '•' || c == '・' || c == '\uFE0F' || unicode.Is(unicode.So, c)
}

//go:noinline
func (r *vitalsReader) repair(name string) {
	if !lists.Has(r.repairs, name) {
		r.repairs = append(r.repairs, name)
	}
}

// next reads the vital that s begins with. What is none is not cut.
func (r *vitalsReader) next(s string) (rest string, ok bool) {
	at := vital.For(s).FindStringSubmatchIndex(s)
	if at == nil {
		return s, false
	}
	part := func(i int) string { return s[max(0, at[2*i]):max(0, at[2*i+1])] }
	word, hash, gap, number, unit, remark := strings.ToLower(part(2)), part(1) != "", part(3), part(5), part(6), part(7)
	if word == "vitals" || word == "duck" || word == "バイタル" {
		return s[at[7]:], true
	}
	key, known := vitalWords[word]
	if rest = s[at[11]:]; !known || strings.HasPrefix(rest, "-1") || strings.HasPrefix(rest, "–1") { // the grammar's range
		return s, false
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(number, "."), 64)
	if bar := part(4); bar != "" {
		full, all := strings.Count(mapped(bar, filled), "x"), strings.Count(mapped(bar, gauges), "x")
		if all < 3 {
			return s, false
		}
		r.repair("vitals_bar")
		if err != nil { // a number behind the gauge is more exact
			n, err = parse(float64(full), float64(all))
		}
	}
	if err != nil {
		if rest = s[at[7]:]; len(word) > 1 && !hash && strings.ContainsAny(gap, ":：=") {
			return r.words(key, rest)
		}
		return s, false
	}
	if n, err = r.scaled(n, strings.TrimLeft(unit, " "), hash); err != nil {
		return s, false
	}
	rest = s[at[1]:]
	switch {
	case remark == "":
	case r.hashes > 0:
		rest = remark + rest
	default:
		r.repair("vitals_remark")
	}
	switch {
	case len(word) > 1:
		r.repair("vitals_words")
	case !hash || gap != "":
		r.repair("vitals_equals")
	}
	if hash {
		r.hashes++
	}
	r.pairs++
	r.v[key] = n
	return rest, true
}

// mapped is a text with an x for every rune of a set.
//
//go:noinline
func mapped(s, set string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(set, c) {
			return 'x'
		}
		return ' '
	}, s)
}

// words reads a value in words, which is no number: Mood: good. A number in brackets behind the words counts.
func (r *vitalsReader) words(key byte, s string) (rest string, ok bool) {
	m := described.For(s).FindStringSubmatch(s)
	if m == nil || strings.TrimSpace(m[1]) == "" {
		return s, false
	}
	if rest = s[len(m[0]):]; rest != "" && !strings.ContainsRune(",;|/、#", first(rest)) {
		return s, false
	}
	if n, err := strconv.ParseFloat(m[2], 64); err == nil {
		by := map[string]float64{"": 1, "%": 100}[m[3]]
		if r.v[key], err = parse(n, by); err != nil {
			return s, false
		}
		r.pairs++
		r.repair("vitals_words")
	}
	r.vague++
	return rest, true
}

func first(s string) rune {
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

// scaled brings a value to 0..1 by its unit: percent, or of ten.
func (r *vitalsReader) scaled(n float64, unit string, hash bool) (float64, error) {
	by := map[string]float64{"%": 100, "/100": 100, "/10": 10}[unit]
	switch {
	case by > 0:
		r.repair("vitals_percent")
	case n <= 1:
		return n, nil
	case hash && unit == "":
		r.repair("vitals_percent")
		by = 100
	default:
		r.big++
		by = 100
	}
	return parse(n, by)
}

// parse divides in decimal, so that 85 percent is 0.85 and not its neighbour.
func parse(n, by float64) (float64, error) {
	if n > by {
		return 0, strconv.ErrRange
	}
	return strconv.ParseFloat(strconv.FormatFloat(n/by, 'f', 6, 64), 64)
}

// fold brings full-width ASCII to its plain form. It is for protocol tokens only, never for contents.
func fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return strings.Map(foldRune, s)
		}
	}
	return s
}

func foldRune(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	if r == '　' {
		return ' '
	}
	return r
}
