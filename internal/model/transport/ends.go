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

// reasons are the words of all the servers, each between blanks, by what they mean: those of one form are said in another's by who
// stands in its provider's place.
var reasons = [...]struct{ means, words string }{
	{"", " null none nil undefined not_finished unfinished "}, // of a reply that goes on
	{Stop, " stop end_turn eos eos_token eos_found end_of_text endoftext end_id end complete completed finish finished done normal stopped stop_sequence stop_token stop_string stop_string_found stop_word word "},
	{Calls, " tool_calls function_call tool_use tool_call function_calls tool_uses "},
	{Length, " length max_tokens max_output_tokens max_length max_new_tokens max_completion_tokens model_length token_limit limit context_length context_length_exceeded context_length_reached " +
		"model_context_window_exceeded max_predicted_tokens_reached incomplete error_limit "},
	{Filtered, " content_filter content_filtered safety recitation language blocklist prohibited_content spii image_safety image_prohibited_content image_recitation model_armor guardrail_intervened refusal sensitive error_toxic other "},
	{Paused, " pause pause_turn "},
	{Malformed, " malformed_function_call malformed_tool_use malformed_tool_call malformed_call unexpected_tool_call too_many_tool_calls "},
	{Failed, " error failed failure network_error server_error internal_error insufficient_system_resource load_shedding overloaded abort aborted cancel cancelled canceled user_cancel user_stopped timeout timed_out time_limit deadline_exceeded " +
		"malformed_response malformed_model_output missing_thought_signature unspecified queued in_progress model_unloaded load unload "},
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
	reason := fold(string(e))
	switch word, known := meaning(reason); {
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

// fold writes a reason as the table has it, whether it came as END_TURN, endTurn, end-turn or FinishReason.END_TURN.
func fold(reason string) string {
	var b strings.Builder
	before := ' '
	for _, c := range phrase.OneLine(reason[strings.LastIndexByte(reason, '.')+1:], 40) {
		if unicode.IsUpper(c) && unicode.IsLower(before) {
			b.WriteByte('_')
		}
		if before = c; c == '-' || c == ' ' {
			c = '_'
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.TrimPrefix(b.String(), "finish_reason_")
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
