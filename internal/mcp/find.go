package mcp

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"unicode"

	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// words are what a text is compared by: its words in small letters, with the parts of names, and pairs of letters of
// what is written without spaces.
func words(text string) (found []string) {
	var word []rune
	flush := func() {
		if len(word) > 1 {
			found = append(found, stem(string(word)))
		}
		word = word[:0]
	}
	var before rune
	for _, r := range text {
		switch {
		case r > unicode.MaxLatin1 && unicode.IsLetter(r):
			flush()
			if before > unicode.MaxLatin1 && unicode.IsLetter(before) {
				found = append(found, string([]rune{before, r}))
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				flush()
			}
			word = append(word, unicode.ToLower(r))
		default:
			flush()
		}
		before = r
	}
	flush()
	return found
}

// stem takes the endings off that make no difference.
func stem(word string) string {
	for _, end := range []string{"ing", "ies", "es", "s", "ed"} {
		if rest, ok := strings.CutSuffix(word, end); ok && len(rest) > 2 {
			return rest
		}
	}
	return word
}

// rank orders tools by how well they fit a query; those that share nothing with it are left out.
func rank(tools []Tool, query string) []Tool {
	asked := words(query)
	docs := make([]map[string]float64, len(tools))
	in := map[string]int{}
	for i, t := range tools {
		docs[i] = map[string]float64{}
		for text, weight := range map[string]float64{t.Name: 3, t.Server: 2, cut(t.Description, 2000): 1} {
			for _, w := range words(text) {
				docs[i][w] = max(docs[i][w], weight)
			}
		}
		for w := range docs[i] {
			in[w]++
		}
	}
	scores := make([]float64, len(tools))
	order := make([]int, 0, len(tools))
	for i := range tools {
		for _, w := range asked {
			if weight := docs[i][w]; weight > 0 {
				scores[i] += weight * math.Log(1+float64(len(tools))/float64(in[w]))
			}
		}
		if strings.EqualFold(strings.TrimSpace(query), tools[i].Full()) || strings.EqualFold(strings.TrimSpace(query), tools[i].Name) {
			scores[i] += 100
		}
		if scores[i] > 0 {
			order = append(order, i)
		}
	}
	lists.Sort(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	best := make([]Tool, len(order))
	for i, at := range order {
		best[i] = tools[at]
	}
	return best
}

// Bounds of what is shown of a search.
const (
	mostShown   = 12   // tools
	withSchema  = 3    // of them with what they take
	schemaShown = 6000 // bytes of one
)

// show lays tools out within a budget: the best with what they take, the others in a line.
func show(tools []Tool, budget int, count func(string) int) string {
	var b strings.Builder
	for i, t := range tools[:min(len(tools), mostShown)] {
		name := phrase.OneLine(t.Full(), 0) + ": " // it is the server's
		line := name + firstLine(t.Description, 160) + "\n"
		whole := name + cut(strings.TrimSpace(t.Description), 800) + "\n  arguments: " + compact(t.Schema) + "\n"
		switch {
		case i < withSchema && len(t.Schema) <= schemaShown && count(b.String()+whole) <= budget:
			b.WriteString(whole)
		case count(b.String()+line) <= budget:
			b.WriteString(line)
		}
	}
	return b.String()
}

func firstLine(text string, most int) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return cut(first, most)
}

func compact(schema json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, schema) != nil {
		return "{}"
	}
	return b.String()
}
