package index

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"nebula/internal/lists"
)

// haste is how long a request waits for evidence at most.
const haste = 40 * time.Millisecond

// Evidence is what of the folder a request is probably about, a line each: the layers that what it speaks of goes
// through and the places that it is clearly about; for the first request of a conversation also the map around them. It
// never holds a request up: without an index, or when it takes too long, it is empty.
func (x *Index) Evidence(request string, first bool, budget int, count func(string) int) string {
	x.Warm(0)
	if _, err := os.Stat(x.path); err != nil || budget <= 0 {
		return ""
	}
	done := make(chan string, 1)
	x.state.Lock()
	if x.closed {
		x.state.Unlock()
		return ""
	}
	x.wait.Add(1)
	x.state.Unlock()
	go func() {
		defer x.wait.Done()
		done <- x.evidence(request, first, budget, count)
	}()
	timer := time.NewTimer(haste)
	defer timer.Stop()
	select {
	case text := <-done:
		return text
	case <-timer.C:
		return ""
	}
}

// Outlook is what a plan for a request has to know of the folder: the layers that it goes through, the places that it is
// clearly about, and the map around them. It waits for the index as a search does.
func (x *Index) Outlook(ctx context.Context, request string, budget int, count func(string) int) string {
	if fresh, err := x.Refresh(ctx, patience); err == nil && !fresh && !x.age0().Ready {
		_, _ = x.Refresh(ctx, patienceFirst) // without one there is nothing to tell
	}
	q := ask(request)
	q.makes, q.plans, q.whole = true, true, false
	text, _ := x.definite(q, budget, count)
	return x.around(q, text, budget, count)
}

func (x *Index) evidence(request string, first bool, budget int, count func(string) int) string {
	q := ask(request)
	text, named := x.definite(q, budget, count)
	if !first || q.whole || !named { // the map around what nobody named is noise
		return text
	}
	return x.around(q, text, budget, count)
}

// around adds the map to what was told, as far as it fits and without what was told already.
func (x *Index) around(q question, text string, budget int, count func(string) int) string {
	x.reading.Lock()
	defer x.reading.Unlock()
	list, err := x.sketch(q)
	if x.doubted(err) != nil {
		return text
	}
	list = lists.Drop(list, func(s Sketch) bool { return strings.Contains("\n"+text, "\n"+s.Path+": ") })
	return text + fit(list, budget-count(text), count, line)
}

// definite is what a question clearly is about, and whether it names any place here.
func (x *Index) definite(q question, budget int, count func(string) int) (text string, named bool) {
	x.reading.Lock()
	defer x.reading.Unlock()
	if q.idle || len(q.words) == 0 {
		return "", false
	}
	err := x.consult()
	if err == nil {
		err = x.load()
	}
	if err != nil {
		_ = x.doubted(err)
		return "", false
	}
	text, named, err = x.relevant(q, budget, count)
	if x.doubted(err) != nil {
		return "", false
	}
	return text, named
}

// relevant is the layers and the clear places, or, for a request about the whole project, the map.
func (x *Index) relevant(q question, budget int, count func(string) int) (text string, named bool, err error) {
	if q.whole {
		list, err := x.sketch(question{})
		return fit(list[:min(len(list), wholeFiles)], budget, count, line), len(list) > 0, err
	}
	layers, err := x.layers(q)
	if err == nil && q.plans && len(layers.Steps) == 0 {
		layers, err = x.similar()
	}
	if err != nil {
		return "", false, err
	}
	text = layers.String()
	if text != "" {
		text += "\n"
	}
	places, err := x.find(q, clearPlaces)
	lines := clearLines(places, q)
	for _, l := range lines {
		if count(text+l) > budget {
			break
		}
		text += l
	}
	return text, len(lines) > 0, err
}

// What a request is told without having asked has to be worth its tokens.
const (
	clearPlaces = 6
	clearHas    = 0.5  // of the question stands in the place
	clearSaid   = 0.5  // of the name is in the question
	clearName   = 0.85 // the same where the name has several words and what stands in the place does not matter
	clearNext   = 0.6  // of the best place's score
	wholeFiles  = 8
)

// clear reports whether a request names what stands in the place, or what it has of both is enough.
func (p *Place) clear() bool {
	if p.Symbol.Name == "" {
		return false
	}
	parts := 0
	for range nameParts(p.Symbol.Name) {
		parts++
	}
	named := p.said >= clearName && parts > 1
	if p.Symbol.Kind == "const" || p.Symbol.Kind == "var" {
		return named
	}
	return named || p.has >= clearHas && p.said >= clearSaid
}

// clearLines are the places that a request is clearly about, a line for each file.
func clearLines(places []Place, q question) []string {
	var lines []string
	at := map[string]int{}
	for _, p := range places {
		if p.Score < clearNext*places[0].Score || !p.clear() {
			continue
		}
		if f := classify(p.Path); f&isTest != 0 && !q.tests || f&isProse != 0 && !q.prose {
			continue
		}
		text := fmt.Sprintf("%d %s", p.Symbol.Line, shortSign(p.Symbol))
		if i, ok := at[p.Path]; ok {
			lines[i] = strings.TrimSuffix(lines[i], "\n") + "; " + text + "\n"
			continue
		}
		at[p.Path] = len(lines)
		lines = append(lines, p.Path+": "+text+"\n")
	}
	return lines
}

// line writes a map with a line for each file.
func line(s Sketch, most int) string {
	var signs []string
	for _, sym := range s.Symbols[:min(most, len(s.Symbols))] {
		signs = append(signs, shortSign(sym))
	}
	return s.Path + ": " + strings.Join(signs, "; ") + "\n"
}

// shortSign is a signature without what only its language needs.
func shortSign(s Symbol) string {
	text := s.Sign
	for _, head := range []string{"func ", "export default ", "export ", "pub ", "public ", "def ", "async "} {
		text = strings.TrimPrefix(text, head)
	}
	text = strings.TrimRight(text, " :{")
	if r := []rune(text); len(r) > 80 {
		text = string(r[:79]) + "…"
	}
	return text
}

// Warm has the index brought up to date in the background after a while, once.
func (x *Index) Warm(after time.Duration) {
	x.state.Lock()
	defer x.state.Unlock()
	if x.closed || x.warm != nil {
		return
	}
	x.warm = time.AfterFunc(max(after, 300*time.Millisecond), func() { x.begin() })
}
