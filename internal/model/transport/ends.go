package transport

import (
	"errors"
	"strings"
)

// What the end of a reply means, in Chat Completions' words and two more.
const (
	Stop      = "stop"
	Calls     = "tool_calls"
	Length    = "length"
	Filtered  = "content_filter"
	Paused    = "pause"          // it goes on when it is sent back
	Malformed = "malformed_call" // the model could not write the call that it began
	Failed    = "failed"         // the server's fault: no reply
)

// Ends are a form's reasons to end a reply, in lower case, and what each means.
type Ends map[string]string

// Known reports whether a reason ends a reply by itself. Behind another one the stream has to end, too, as nobody can tell what it means.
//
//go:noinline
func (e Ends) Known(reason string) bool { return e[strings.ToLower(reason)] != "" }

// Word is what a reason means; one that nobody knows stays as it is. The error is that there is no reply.
func (e Ends) Word(reason string) (string, error) {
	reason = strings.ToLower(reason)
	switch word := e[reason]; {
	case reason == "":
		return "", ErrCut
	case word == Failed:
		return "", &failure{reason}
	case word != "":
		return word, nil
	}
	return reason, nil
}

// A failure is a reply that its server gave up.
type failure struct{ reason string }

// Error names the server's reason.
func (f *failure) Error() string { return "the server ended the reply: " + f.reason }

// failed is the reason for which a server gave a reply up; empty for other errors.
//
//go:noinline
func failed(err error) string {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.reason
	}
	return ""
}
