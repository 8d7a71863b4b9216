package tool

import "strings"

// nearest finds the lines that look most like old, for a model that remembers them wrongly: the first and the last of
// them, from 0. ok is false when nothing looks like it.
func (d *document) nearest(old string) (first, last int, ok bool) {
	want := strings.Split(strings.Trim(unix(old), "\n"), "\n")
	want = want[:min(len(want), 40)]
	grams := make([]map[string]int, len(want))
	for i, l := range want {
		grams[i] = pairs(l)
	}
	const work = 400_000 // comparisons of lines
	if len(d.lines)*len(want) > work {
		return 0, 0, false
	}
	alike := make([][]float64, len(want))
	for i := range want {
		alike[i] = make([]float64, len(d.lines))
	}
	for j, l := range d.lines {
		p := pairs(l)
		for i := range want {
			alike[i][j] = similarity(grams[i], p)
		}
	}
	best := 0.0
	for j := range d.lines {
		sum := 0.0
		for i := 0; i < len(want) && j+i < len(d.lines); i++ {
			sum += alike[i][j+i]
		}
		if sum > best {
			best, first = sum, j
		}
	}
	last = min(first+len(want), len(d.lines)) - 1
	return first, last, best >= 0.4*float64(len(want))
}

// pairs counts the pairs of neighbouring bytes in a line, white space apart.
func pairs(l string) map[string]int {
	l = strings.Join(strings.Fields(l), " ")
	if len(l) > 400 {
		l = l[:400]
	}
	p := make(map[string]int, len(l))
	for i := 0; i+2 <= len(l); i++ {
		p[l[i:i+2]]++
	}
	return p
}

func similarity(a, b map[string]int) float64 {
	total, both := 0, 0
	for g, n := range a {
		total += n
		both += min(n, b[g])
	}
	for _, n := range b {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(both) / float64(total)
}

// excerpt shows lines, from first to last counted from 0, with a few around them.
func (d *document) excerpt(first, last, around int) (text string, from, to int) {
	from, to = max(first-around, 0), min(last+around, len(d.lines)-1)
	if to-from > 24 {
		to = from + 24
	}
	var b strings.Builder
	for _, l := range d.lines[from : to+1] {
		b.WriteString(clip(l, 300))
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n"), from + 1, to + 1
}
