package state

import (
	"strings"

	"nebula"
)

// A Lapse is a rule of dialogue that a reply broke (Duckflow v3 §9), by its name. The next request says so.
type Lapse string

// The rules that can be checked.
const (
	ManyQuestions Lapse = "questions" // more than one question at once
	FewOptions    Lapse = "options"   // options where there are not two real ones
	NoSummary     Lapse = "summary"   // a long answer that does not end with a summary and the next step
	NoNudge       Lapse = "nudge"     // no first step for a person who is stuck
)

// longAnswer is from how many characters on an answer should close with a summary.
const longAnswer = 1500

// Lapses are the rules that a reply broke. stuck says that the person wrote to be.
func Lapses(in nebula.Intent, stuck bool) []Lapse {
	var found []Lapse
	last := len(in.Actions) == 0
	if len(in.Questions) > 1 || last && asked(in.Say)+len(in.Questions) > 1 {
		found = append(found, ManyQuestions)
	}
	for _, q := range in.Questions {
		if len(q.Options) > 0 && len(distinct(q.Options)) < 2 {
			found = append(found, FewOptions)
			break
		}
	}
	if last && len([]rune(in.Say)) > longAnswer && !closes(in.Say) {
		found = append(found, NoSummary)
	}
	if last && stuck && len(in.Questions) == 0 && in.Say != "" && !nudges(in.Say) {
		found = append(found, NoNudge)
	}
	return found
}

// Polite is a reply's questions as the rules let them be: the first, with options only where there are two or more.
func Polite(questions []nebula.Question) []nebula.Question {
	if len(questions) == 0 {
		return nil
	}
	q := questions[0]
	if len(distinct(q.Options)) < 2 {
		q.Options = nil
	}
	return []nebula.Question{q}
}

func distinct(options []string) map[string]bool {
	set := map[string]bool{}
	for _, o := range options {
		if o = strings.ToLower(strings.TrimSpace(o)); o != "" {
			set[o] = true
		}
	}
	return set
}

// asked counts the questions of a text outside code: lines and sentences that end with a question mark.
func asked(text string) int {
	n, code := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code || strings.HasPrefix(line, ">") {
			continue
		}
		for i, r := range line {
			rest := line[i+len(string(r)):]
			if r == '？' || r == '?' && (rest == "" || strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, ")")) {
				n++
			}
		}
	}
	return n
}

// closing are words that a summary or a next step begins with.
var closing = []string{"summary", "in short", "in sum", "to sum up", "next step", "next:", "what's next", "tl;dr", "要約", "まとめ", "次の一手", "次は", "次に", "次のステップ", "以上"}

// tailShown is where at the end of an answer its summary is looked for, in characters.
const tailShown = 600

func closes(say string) bool { return holds(ending(say, tailShown), closing) }

// steps are words that a first step is offered with.
var steps = []string{"first step", "start by", "start with", "first,", "try ", "begin with", "next", "最初の一歩", "まず", "はじめに", "次の", "試して"}

func nudges(say string) bool { return holds(ending(say, tailShown/2), steps) }

//go:noinline
func ending(text string, n int) string {
	r := []rune(text)
	return strings.ToLower(string(r[max(0, len(r)-n):]))
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// Stuck reports whether a person writes to be stuck.
func Stuck(text string) bool {
	if len(text) > 2000 {
		return false
	}
	return holds(strings.ToLower(text), []string{"i'm stuck", "i am stuck", "im stuck", "i'm lost", "i am lost", "no idea how", "don't know where to start", "don't know how to",
		"困って", "困った", "行き詰ま", "どうしたらいい", "どうすればいい", "分からなくな", "わからなくな", "お手上げ"})
}
