package state

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Watch is what can be seen of how the work goes, beside what the model says of itself.
type Watch struct {
	Errors  int    // failures in a row that were there before
	Repeats int    // how often something that the last reply came to has come lately, with nothing new between
	What    string // what that was
	Passed  string // the same, where it was a run of tests that passed
	Tests   int    // test runs in a row that failed in the same way

	// Progress says that the last result had an effect that the turn has not seen, Fresh that nothing since the last progress
	// came to the same.
	Progress, Fresh bool

	Spent   float64 // the largest share of a limit that the turn has used, 0..1
	Context float64 // share of the model's window that the last request filled, 0..1
	Read    float64 // how surely the last reply was read, 0..1

	recent []fingerprint       // what the last results came to, since there was something new
	asked  int                 // how often something may run again yet, as the person asked for it
	waits  int                 // commands that waited, looked, and came to what they came to before
	known  map[string]bool     // what the turn has come to
	tried  map[string]bool     // what it has come to since there was progress, failures included
	put    map[string]bool     // what was written with other numbers, since something was run
	here   []string            // what this reply's results came to
	edited bool                // a file has become something new since the last test run
	line   string              // the command that was run last
	lines  int                 // how often it was, with nothing else between
	shown  map[string][][2]int // the lines of files that were shown since one was changed
	looked int                 // looks in a row that showed nothing else
}

// Finished is the watch after a result.
func (w Watch) Finished(a nebula.Action, r nebula.Result) Watch {
	if w.awaits(a, r) {
		return w
	}
	if w.wished(a, r) {
		w.Progress, w.Fresh = false, true
		return w
	}
	w = w.traced(a, r).again(a, r).reread(a, r)
	switch {
	case w.Progress || r.Status == nebula.Done:
		w.Errors = 0
	case r.Status == nebula.Failed && !w.Fresh:
		w.Errors++
	}
	if r.Tests != nil {
		switch {
		case r.Tests.OK:
			w.Tests = 0
		case w.Progress:
			w.Tests = 1
		case !w.edited:
			w.Tests++
		}
		w.edited = false
	}
	return w
}

// Join is the vitals that count: the model's own report where it gives one, lowered by what was seen. What is seen
// never raises them.
func (w Watch) Join(own nebula.Vitals) nebula.Vitals {
	confidence := 1 - 0.08*float64(w.Errors) - 0.5*(1-w.Read)
	mood := 1 - 0.15*float64(w.Tests) - 0.08*float64(w.Errors)
	focus := 1 - 0.2*float64(max(0, w.Repeats-1))
	stamina := 1 - max(w.Spent, w.Context*0.9)
	return nebula.Vitals{
		Confidence: lower(own.Confidence, confidence),
		Mood:       lower(own.Mood, mood),
		Focus:      lower(own.Focus, focus),
		Stamina:    lower(own.Stamina, stamina),
	}
}

//go:noinline
func lower(own *float64, seen float64) *float64 {
	v := min(1, max(0, seen))
	if own != nil {
		v = min(v, max(0, *own))
	}
	return &v
}

// Thresholds say when vitals are low. A low confidence or mood is advice to the model and a remark to the person: what may
// be done does not follow from it. Duckflow asks before every change then; with nobody there to ask, tests that fail for
// good reasons would end the very work that mends them.
type Thresholds struct {
	Confidence float64 `json:"confidence"` // below: the model is told so, once in a turn
	Mood       float64 `json:"mood"`       // below: likewise
	Focus      float64 `json:"focus"`      // below: back to PLANNING
	Stamina    float64 `json:"stamina"`    // at or below: the model is told so, once in a turn
	Repeats    int     `json:"repeats"`    // the same action with the same result this often in a row: the turn stops
}

// DefaultThresholds hold where settings say nothing.
func DefaultThresholds() Thresholds {
	return Thresholds{Confidence: 0.5, Mood: 0.4, Focus: 0.45, Stamina: 0.1, Repeats: 6}
}

// Low names the vitals that are low.
//
//go:noinline
func (t Thresholds) Low(v nebula.Vitals) (names []string) {
	if v.Confidence != nil && *v.Confidence < t.Confidence {
		names = append(names, Confidence)
	}
	if v.Mood != nil && *v.Mood < t.Mood {
		names = append(names, Mood)
	}
	return names
}

// The vitals that [Thresholds.Low] names.
const (
	Confidence = "confidence"
	Mood       = "mood"
)

// Lost reports whether focus is so low that the work should be planned again.
func (t Thresholds) Lost(v nebula.Vitals) bool { return v.Focus != nil && *v.Focus < t.Focus }

// Worn reports whether next to nothing is left of what the turn may use, when this share of a limit is used. The model is
// told so; what stops a turn is a limit that is reached, or going in circles.
func (t Thresholds) Worn(used float64) bool { return used > 0 && 1-used <= t.Stamina }

// Circles says why the turn should stop, empty when it can go on.
func (t Thresholds) Circles(w Watch, lang string) string {
	if t.Repeats <= 0 || w.Repeats < t.Repeats {
		return ""
	}
	return fmt.Sprintf(phrase.In(lang, "%s came to the same %d times, with nothing new in between"), w.What, w.Repeats)
}

// idle reports whether a command only shows, or does nothing at all: that it ended well says nothing of the work. How a line ends is how the
// last of its commands does, and those that this one had to wait for.
func idle(command string) bool {
	all := programs(command)
	return len(all) == 0 || !slices.ContainsFunc(all[len(all)-1], func(name string) bool {
		return !lists.Has(looks, name) && !lists.Has(shows, name) && !lists.Has(gitShows, name)
	})
}

// programs are the first words of a line's commands, without what is set before them and without remarks: a list for each part that ends
// for itself.
func programs(line string) (parts [][]string) {
	var word, names = strings.Builder{}, []string(nil)
	var quote, last rune
	begun, named, remark := false, false, false // of a word, of a command's name, of a remark
	end := func() {
		w := word.String()
		switch {
		case begun && !named && !assigns(w):
			names, named = append(names, w), true
		case begun && named:
			names[len(names)-1] = narrowed(names[len(names)-1], w)
		}
		word.Reset()
		begun = false
	}
	part := func() {
		if end(); len(names) > 0 {
			parts, names = append(parts, names), nil
		}
		named = false
	}
	for i, r := range line {
		switch {
		case r == '\n' && quote == 0:
			part()
			remark = false
		case remark:
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			quote, begun = r, true
		case r == '#' && !begun:
			remark = true
		case r == '&' && (last == '>' || last == '<' || strings.HasPrefix(line[i+1:], ">")): // of a redirection
			word.WriteRune(r)
		case r == ';', r == '|' && last == '|', r == '&' && last != '&' && !strings.HasPrefix(line[i+1:], "&"):
			part()
		case strings.ContainsRune("&|(){}", r):
			end()
			named = false
		case r == ' ' || r == '\t' || r == '\r':
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
		last = r
	}
	part()
	return parts
}

// narrowed is what a command is with a word behind its name: what tells of a version or prints what is written there shows, and git has
// commands of its own.
func narrowed(name, word string) string {
	switch {
	case word == "--version" || word == "--help", strings.HasPrefix(word, "print(") && !strings.Contains(word, "import"), strings.HasPrefix(word, "console.log(") && !strings.Contains(word, "require"):
		return "true"
	case name == "git" && lists.Has(gitShows, "git "+word):
		return "git " + word
	}
	return name
}

// assigns reports whether a word gives a variable its value.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// shows are commands that show files, beside those that show the same whatever their options are.
var shows = strings.Fields("cat head tail less more printf sleep cd wc file stat tree find grep egrep rg test [ exit export set unset alias readonly declare local")

// gitShows are those of git's commands that only show, or keep what is there.
var gitShows = []string{"git status", "git log", "git diff", "git show", "git branch", "git add", "git commit", "git stash"}
