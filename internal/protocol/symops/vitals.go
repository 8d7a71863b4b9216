package symops

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Vitals are the model's report of its condition by the language's letters c, m, f and s, each 0..1.
type Vitals map[byte]float64

const vitalKeys = "cmfs"

// readVitals reads a line that holds nothing but vitals, in any spelling, and names the repairs it took. Later
// values win.
func readVitals(s string) (v Vitals, repairs []string, ok bool) {
	if !mayBeVitals(s) {
		return nil, nil, false
	}
	r := vitalsReader{rest: fold(s), v: Vitals{}}
	if !r.read() {
		return nil, nil, false
	}
	return r.v, r.repairs, true
}

type vitalsReader struct {
	rest    string
	v       Vitals
	hashes  int
	big     int // values above one that say nothing of percent
	pairs   int
	vague   int // vitals whose value is no number
	repairs []string
}

// gap skips what stands between two vitals: punctuation, Markdown, pictures.
func (r *vitalsReader) gap() {
	for r.rest != "" {
		c, n := utf8.DecodeRuneInString(r.rest)
		if c < 0x80 && strings.IndexByte(" \t,;|/[](){}*\"'`_-~", byte(c)) < 0 || c >= 0x80 && !ornament(c) {
			return
		}
		r.rest = r.rest[n:]
	}
}

// ornament reports whether a rune says nothing: a separator or a picture.
func ornament(c rune) bool {
	return c == '·' || c == '、' || c == '，' || c == '。' || c == '•' || c == '・' || c == '\uFE0F' || unicode.Is(unicode.So, c)
}

func (r *vitalsReader) repair(name string) {
	for _, had := range r.repairs {
		if had == name {
			return
		}
	}
	r.repairs = append(r.repairs, name)
}

func (r *vitalsReader) read() bool {
	for {
		r.gap()
		if r.rest == "" {
			break
		}
		hash := strings.HasPrefix(r.rest, "#")
		if hash {
			r.rest = strings.TrimLeft(r.rest, "# ")
		}
		word := r.word()
		if word == "" {
			return r.tail()
		}
		if word == "vitals" || word == "duck" || word == "バイタル" {
			r.rest = strings.TrimLeft(r.rest, ":： =\"*")
			continue
		}
		key, known := vitalWords[word]
		if !known {
			return r.tail()
		}
		for _, of := range []string{" level", " score"} {
			r.rest = strings.TrimPrefix(r.rest, of)
		}
		if !r.value(key, hash, len(word) > 1) {
			return r.tail()
		}
	}
	if r.big > 0 {
		r.repair("vitals_percent")
		return r.big > 1 && r.big == r.pairs
	}
	if r.vague > 0 {
		r.repair("vitals_vague")
	}
	return r.hashes > 0 || r.pairs > 1 || r.pairs > 0 && r.vague > 0 || r.pairs == 1 && len(r.v) == 1 && r.long()
}

func (r *vitalsReader) long() bool {
	for _, name := range r.repairs {
		if name == "vitals_words" {
			return true
		}
	}
	return false
}

// tail allows a remark behind vitals that were written with their symbols.
func (r *vitalsReader) tail() bool {
	if r.hashes == 0 || r.hashes != r.pairs {
		return false
	}
	r.repair("vitals_remark")
	return true
}

func (r *vitalsReader) word() string {
	i := 0
	for i < len(r.rest) {
		c, n := utf8.DecodeRuneInString(r.rest[i:])
		if !unicode.IsLetter(c) && c != 'ー' {
			break
		}
		i += n
	}
	w := r.rest[:i]
	r.rest = r.rest[i:]
	return strings.ToLower(w)
}

func (r *vitalsReader) value(key byte, hash, long bool) bool {
	sep := r.rest
	r.rest = strings.TrimLeft(r.rest, " \t:：=\"*'`([|は")
	gap := sep[:len(sep)-len(r.rest)]
	filled, barred := r.bar()
	i := 0
	for i < len(r.rest) && (r.rest[i] >= '0' && r.rest[i] <= '9' || r.rest[i] == '.') {
		i++
	}
	if strings.HasPrefix(r.rest[i:], "-1") || strings.HasPrefix(r.rest[i:], "–1") {
		return false // the grammar's range
	}
	digits := strings.TrimSuffix(r.rest[:i], ".")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil && !barred {
		return long && !hash && strings.ContainsAny(gap, ":：=") && r.described(key)
	}
	r.rest = r.rest[i:]
	n, ok := r.unit(n, hash)
	if !ok {
		return false
	}
	if err != nil {
		n = filled
	}
	r.remark()
	switch {
	case long:
		r.repair("vitals_words")
	case !hash || gap != "":
		r.repair("vitals_equals")
	}
	if hash {
		r.hashes++
	}
	r.pairs++
	r.v[key] = n
	return true
}

// bar reads a gauge: ████░░. A number behind it is more exact than the share that is filled.
func (r *vitalsReader) bar() (share float64, ok bool) {
	full, all := 0, 0
	rest := r.rest
	for rest != "" {
		c, n := utf8.DecodeRuneInString(rest)
		switch {
		case strings.ContainsRune("█▓▰■●⬛★▮🟩🟢🟦🔵", c):
			full++
			all++
		case strings.ContainsRune("░▒▱□○⬜☆▯⬚⚪", c):
			all++
		case all > 0 && (c == ' ' || c == ']' || c == '|' || c == '('):
		default:
			if all < 3 {
				return 0, false
			}
			return r.gauge(rest, full, all)
		}
		rest = rest[n:]
	}
	if all < 3 {
		return 0, false
	}
	return r.gauge(rest, full, all)
}

func (r *vitalsReader) gauge(rest string, full, all int) (share float64, ok bool) {
	r.rest = rest
	r.repair("vitals_bar")
	share, ok = parse(float64(full), float64(all))
	return share, ok
}

// described reads a value in words, which is no number: Mood: good. A number in brackets behind the words counts.
func (r *vitalsReader) described(key byte) bool {
	end := strings.IndexAny(r.rest, ",;|/、#")
	if end < 0 {
		end = len(r.rest)
	}
	words, number, _ := strings.Cut(strings.TrimSpace(r.rest[:end]), "(")
	if words == "" || len(words) > 40 || strings.ContainsAny(words, ":=.!?0123456789$@") {
		return false
	}
	r.rest = r.rest[end:]
	number = strings.TrimSuffix(number, ")")
	by := 1.0
	if strings.HasSuffix(number, "%") {
		by = 100
	}
	if n, err := strconv.ParseFloat(strings.TrimSuffix(number, "%"), 64); err == nil && n >= 0 && n <= by {
		r.v[key], _ = parse(n, by)
		r.pairs++
		r.repair("vitals_words")
	} else if number != "" {
		return false
	}
	r.vague++
	return true
}

// remark skips what stands in brackets behind a value: 0.9 (high).
func (r *vitalsReader) remark() {
	t := strings.TrimLeft(r.rest, " ")
	if !strings.HasPrefix(t, "(") || r.hashes > 0 {
		return
	}
	if i := strings.IndexByte(t, ')'); i > 0 && !strings.ContainsAny(t[:i], "0123456789") {
		r.rest = t[i+1:]
		r.repair("vitals_remark")
	}
}

// unit reads percent and "of ten" and brings the value to 0..1.
func (r *vitalsReader) unit(n float64, hash bool) (float64, bool) {
	rest := strings.TrimLeft(r.rest, " ")
	switch {
	case strings.HasPrefix(rest, "%"):
		r.rest = rest[1:]
		r.repair("vitals_percent")
		return parse(n, 100)
	case strings.HasPrefix(rest, "/100"):
		r.rest = rest[4:]
		r.repair("vitals_percent")
		return parse(n, 100)
	case strings.HasPrefix(rest, "/10"):
		r.rest = rest[3:]
		r.repair("vitals_percent")
		return parse(n, 10)
	case strings.HasPrefix(rest, "/1"):
		r.rest = strings.TrimPrefix(rest[2:], ".0")
	case n > 1 && hash:
		r.repair("vitals_percent")
		return parse(n, 100)
	}
	if n > 1 {
		r.big++
		return parse(n, 100)
	}
	return n, true
}

// parse divides in decimal, so that 85 percent is 0.85 and not its neighbour.
func parse(n, by float64) (float64, bool) {
	if n > by {
		return 0, false
	}
	s := strconv.FormatFloat(n/by, 'f', 6, 64)
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// strictVitals reports whether a line is #c0.85 #m0.78 and so on, as taught.
func strictVitals(s string) bool {
	for {
		if len(s) < 3 || s[0] != '#' || strings.IndexByte("cmfs", s[1]) < 0 {
			return false
		}
		i := 2
		for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
			i++
		}
		if i == 2 {
			return false
		}
		s = strings.TrimLeft(s[i:], " ")
		if s == "" {
			return true
		}
	}
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
