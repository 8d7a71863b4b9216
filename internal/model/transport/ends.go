package transport

import (
	"errors"
	"strings"
	"unicode"

	"nebula/internal/phrase"
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

// reasons are the words of all the servers, their letters alone and each between blanks, by what they mean: those of one form are said in another's by who
// stands in its provider's place.
var reasons = [...]struct{ means, words string }{
	{"", " null none nil undefined notfinished unfinished "}, // of a reply that goes on
	{Stop, " stop endturn eos eostoken eosfound endoftext endoftext endid end complete completed finish finished done normal stopped stopsequence stoptoken stopstring stopstringfound stopword word "},
	{Calls, " toolcalls functioncall tooluse toolcall functioncalls tooluses "},
	{Length, " length maxtokens maxoutputtokens maxlength maxnewtokens maxcompletiontokens modellength tokenlimit limit contextlength contextlengthexceeded contextlengthreached " +
		"modelcontextwindowexceeded maxpredictedtokensreached incomplete errorlimit "},
	{Filtered, " contentfilter contentfiltered safety recitation language blocklist prohibitedcontent spii imagesafety imageprohibitedcontent imagerecitation modelarmor guardrailintervened refusal sensitive errortoxic other "},
	{Paused, " pause pauseturn "},
	{Malformed, " malformedfunctioncall malformedtooluse malformedtoolcall malformedcall unexpectedtoolcall toomanytoolcalls "},
	{Failed, " error failed failure networkerror servererror internalerror insufficientsystemresource loadshedding overloaded abort aborted cancel cancelled canceled usercancel userstopped timeout timedout timelimit deadlineexceeded " +
		"malformedresponse malformedmodeloutput missingthoughtsignature unspecified queued inprogress modelunloaded load unload "},
}

// An End is the reason that a server gave for the end of a reply, in its own word; empty before it did.
type End string

// Take takes a reason. A good one does not undo another that came before it.
func (e *End) Take(reason string) {
	means, known := meaning(fold(reason))
	was, _ := meaning(fold(string(*e)))
	if reason == "" || known && means == "" || *e != "" && good(means) && !good(was) {
		return
	}
	*e = End(reason)
}

// good reports whether a reply that ends so says all that its model wanted to say.
func good(means string) bool { return means == Stop || means == Calls || means == Paused }

// Known reports whether the reason ends a reply by itself. Behind another one the stream has to end, too, as nobody can tell what it means.
//
//go:noinline
func (e End) Known() bool {
	if e == "" {
		return false
	}
	_, known := meaning(fold(string(e)))
	return known
}

// Word is what the reason means; one that nobody knows stays as it is. The error is that there is no reply.
func (e End) Word() (string, error) {
	reason := strings.ToLower(phrase.OneLine(string(e), 40))
	switch word, known := meaning(fold(reason)); {
	case word == Failed:
		return "", &failure{reason}
	case known && word != "":
		return word, nil
	case known || reason == "":
		return "", ErrCut
	}
	return reason, nil
}

func meaning(reason string) (means string, known bool) {
	for _, r := range reasons {
		if strings.Contains(r.words, " "+reason+" ") {
			return r.means, true
		}
	}
	return "", false
}

// fold leaves the letters of a reason, whether it came as END_TURN, endTurn, end-turn or FinishReason.END_TURN.
//
//go:noinline
func fold(reason string) string {
	return strings.TrimPrefix(strings.Map(func(c rune) rune {
		if c = unicode.ToLower(c); c < 'a' || c > 'z' {
			return -1
		}
		return c
	}, reason[strings.LastIndexByte(reason, '.')+1:]), "finishreason")
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
