package agent

import (
	"nebula"
	"nebula/internal/phrase"
)

// withheld is what a person sends without the keys that stand in its words, and whether there were some: the model reads, and the record
// keeps, only how they begin. A command for the shell, and code that a person wrote in the place of other, are theirs as they stand.
func withheld(c nebula.Command) (nebula.Command, bool) {
	kept := false
	without := func(text string) string {
		rest := phrase.Withheld(text)
		kept = kept || rest != text
		return rest
	}
	switch m := c.(type) {
	case nebula.Submit:
		m.Text = without(m.Text)
		c = m
	case nebula.Answer:
		if m.Answer == nebula.Told || m.Answer == nebula.No {
			m.Text = without(m.Text)
		}
		c = m
	case nebula.Direct:
		m.Text = without(m.Text)
		c = m
	case nebula.Compact:
		m.Focus = without(m.Focus)
		c = m
	}
	return c, kept
}

// withNotice is a message that was taken in, and behind it that a key in it is not sent.
func (s *Session) withNotice(in request, m nebula.Submitted) []nebula.Body {
	if in.kept {
		return []nebula.Body{m, s.warns(keyNotSent)}
	}
	return []nebula.Body{m}
}
