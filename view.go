package nebula

// A View is what a tool may know of the session.
type View struct {
	Mode     Mode
	Lang     string                                   // the language of summaries
	Seen     func(path string) (hash string, ok bool) // the hash of a file when this session last read or wrote it
	Ref      func(path string) (ref FileRef, ok bool) // the same with the lines that were shown; may be nil
	Beside   func(path string) bool                   // the file was first read by the reply that the action stands in, which was written without it; may be nil
	Talk     string                                   // the conversation in short, for tools that plan
	SentBack func(hash string) bool                   // whether the model has read that a content was sent back, by the hash in [Mistake].Again; may be nil
	Model    ModelInfo                                // that reads the result
	// Passed are the actions of the same reply that ran something and ended well: a command without an error, tests that passed.
	Passed  []Action
	Exposed bool // the session may know what is secret: what would leave for the internet is asked about
	// Expected reports whether nobody has to be asked about a command that opens what holds secrets; nil where that is not judged.
	Expected func(line string) bool
	Free     bool                   // everything is allowed, and nothing forbidden: commands run as the person would run them, in no box
	Strict   bool                   // the person forbids to do something, such as to commit
	Try      bool                   // the person wants to see what a command did before it counts: it runs on a view of the folder
	Barred   func(Target) bool      // whether the person forbids changing a file; nil for none
	Unread   func(path string) bool // whether a file is not to be read; nil for none
	Bare     bool                   // the person asked for a body that does nothing yet
}
