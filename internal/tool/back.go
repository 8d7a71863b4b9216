package tool

import (
	"strings"

	"nebula"
)

// How a content is sent back, and how it is known when it comes again.

// hash names the content for one path. White space around it is none of it, as protocols differ there.
func (c *content) hash() string {
	return nebula.Hash([]byte(c.path + "\x00" + strings.TrimSpace(c.sent)))
}

// insisted reports whether the model gave the content again after it was sent back.
func (c *content) insisted() bool { return c.back != nil && c.back(c.hash()) }

// refuse sends the content back. What is given again is taken, and shown to the person for what it seems to be.
//
//go:noinline
func (c *content) refuse(hint, format string, args ...any) error {
	return c.returned("Nothing was written. %[1]s If the file is to hold exactly this, send the same again, with a reason that says that it is meant literally.", hint, format, args)
}

// refuseEdit is refuse for what looks like an edit in the place of a whole file: that is never taken without the person.
func (c *content) refuseEdit(format string, args ...any) error {
	if documents.In(c.path) {
		return c.refuse(rightForms, format, args...)
	}
	return c.returned("Nothing was written. %[1]s If the file is to hold exactly this, send the same again: the person is asked, and where nobody is there it is not done.", rightForms, format, args)
}

// sendBack sends a content back that has hardly all of the file. The same content given again is meant.
//
//go:noinline
func (c *content) sendBack(format string, args ...any) error {
	return c.returned("Nothing was written. %[1]s If the file is to hold exactly this and nothing more, send the same again.", rightForms, format, args)
}

func (c *content) returned(next, hint, format string, args []any) error {
	m := nebula.Wrong(hint, format, args...)
	m.Then(next, m.Hint).Again = c.hash()
	return m
}

// rightForms are how a change is written so that it is understood in every protocol.
const rightForms = "Give the complete new file, or only what changes, copied to the letter: a line <<<<<<< SEARCH, the lines as they are, a line =======, the lines as they shall be, a line >>>>>>> REPLACE."
