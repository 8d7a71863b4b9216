package protocol

import (
	"strings"

	"nebula"
)

// thinking are the pairs of tags around a model's reasoning in its text.
var thinking = [][2]string{{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<reasoning>", "</reasoning>"},
	{"<|begin_of_thought|>", "<|end_of_thought|>"}, {"<reflection>", "</reflection>"}, {"[THINK]", "[/THINK]"}, {"◁think▷", "◁/think▷"},
	{"<scratchpad>", "</scratchpad>"}, {"<seed:think>", "</seed:think>"}, {"<|channel|>analysis<|message|>", endOfMessage}}

// endOfMessage ends an answer as well as reasoning.
const endOfMessage = "<|end|>"

// finals begin the answer behind the reasoning (gpt-oss).
var finals = []string{"<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>"}

// Thoughts takes a reply's reasoning apart from what it says: the reasoning field, and a tagged section that opens
// the text. A section that never closes, in a reply that has nothing else, is all reasoning.
func Thoughts(r nebula.Reply) (say string, thoughts []string) {
	start, thoughts := Body(r)
	return strings.TrimSpace(r.Text()[start:]), thoughts
}

// Body is where a reply's text begins behind the reasoning that opens it, and that reasoning. See [Thoughts].
func Body(r nebula.Reply) (start int, thoughts []string) {
	if t := strings.TrimSpace(r.Reasoning()); t != "" {
		thoughts = append(thoughts, t)
	}
	text := r.Text()
	for range maxThoughts {
		thought, rest, ok := leadingThought(text)
		if !ok {
			break
		}
		if thought != "" {
			thoughts = append(thoughts, thought)
		}
		text = rest
	}
	for _, mark := range finals {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), mark); ok {
			text = rest
		}
	}
	return len(r.Text()) - len(text), thoughts
}

// maxThoughts is how many sections in a row may open a reply.
const maxThoughts = 8

func leadingThought(text string) (thought, rest string, ok bool) {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	for _, tag := range thinking {
		body, opens := strings.CutPrefix(trimmed, tag[0])
		if !opens {
			// Some servers strip the opening tag along with the template that wrote it.
			if i := strings.Index(trimmed, tag[1]); i >= 0 && tag[1] != endOfMessage && plainProse(trimmed[:i]) && alone(trimmed, i, len(tag[1])) {
				return strings.TrimSpace(trimmed[:i]), trimmed[i+len(tag[1]):], true
			}
			continue
		}
		inside, after, closed := strings.Cut(body, tag[1])
		if !closed {
			return strings.TrimSpace(body), "", true
		}
		return strings.TrimSpace(inside), after, true
	}
	return "", text, false
}

// plainProse reports whether a text has nothing in it that could have begun an action: only then can a tag behind it
// not be part of a file's content.
func plainProse(text string) bool {
	return !strings.ContainsAny(text, "<{[$`🦆▶") && !strings.Contains(text, "--")
}

// alone reports whether text[i:i+n] is a line of its own, or ends one: quoted in a sentence it is no tag.
func alone(text string, i, n int) bool {
	rest := text[i+n:]
	return rest == "" || rest[0] == '\n' || rest[0] == '\r'
}

// Opening is where the text of a reply that is still coming begins, once that can be told: behind a section of
// reasoning that has closed.
func Opening(text string) (start int, ok bool) {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	for _, tag := range thinking {
		if strings.HasPrefix(tag[0], trimmed) || strings.HasPrefix(trimmed, tag[0]) && !strings.Contains(trimmed, tag[1]) {
			return 0, false
		}
	}
	start, _ = Body(nebula.Reply{Parts: nebula.Text(text)})
	if rest := strings.TrimLeft(text[start:], " \t\r\n"); rest == "" || start > 0 && rest[0] == '<' && len(rest) < len("<reasoning>") {
		return 0, false
	}
	return start, true
}
