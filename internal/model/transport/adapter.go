package transport

import (
	"encoding/json"
	"net/http"

	"nebula"
)

// An Adapter is one provider's way to be spoken to: it writes requests and reads what is streamed back. It knows nothing of
// connections, retries or silence. It may be used from several goroutines.
type Adapter interface {
	// Ask is how a prompt is sent, once.
	Ask(p nebula.Prompt) Exchange
}

// An Exchange is one request and the reading of its answer.
type Exchange struct {
	URL    string
	Header http.Header // the key's among them
	Body   []byte
	Reader func(out *Out) Reader
	// Learn is told of a refusal, and reports whether the adapter has something else to try, with what the person should know
	// of it, if anything; nil learns nothing.
	Learn func(Refusal) (said nebula.Words, learnt bool)
}

// A Reader reads one answer and says its reply piece by piece. Its errors are those of [Out.Say], [ErrCut], [Damaged] and
// [Said]; after one it is not used again.
type Reader interface {
	// Event reads one event of a stream. ended says that nothing of the reply follows it.
	Event(name, data []byte) (ended bool, err error)
	// Object reads one of the values of an answer that is JSON in place of a stream.
	Object(raw json.RawMessage) error
	// Whole reports whether all of the reply has come, though its end mark may be missing.
	Whole() bool
	// End says what closes the reply.
	End() error
}

// A Refusal is what a server would not take.
type Refusal struct {
	Status int    // of HTTP
	Kind   string // as in [nebula.APIError]
	Raw    string // in the server's own words
	Said   string // the message among them
	Final  bool   // it is no fault that passes
	Worked bool   // an earlier reply came whole
}

// A Service is what is known of who runs a server, to help a person with.
type Service struct {
	KeyName string       // the environment variable that holds the key
	Stray   string       // whose key it is by its form, where that is another provider's
	Near    bool         // it runs on the person's machine: it is waited for
	Start   nebula.Words // what to do where nothing answers
	Edge    int          // the longest that a side of a picture is sent with, in pixels; 0 for the usual
	Missing nebula.Words // what to do where it does not have the model
}
