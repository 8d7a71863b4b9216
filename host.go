package nebula

import "context"

// A Host is nebula in one folder as a front end meets it: what there is, and the way into a session. With the
// [Conversation]s that it opens, it is all that a front end knows. All methods may be called from any goroutine, may take
// long, and answer in values that can be sent: a front end may be another process.
type Host interface {
	// Folder tells where sessions are and what they begin with. It takes no time: there is a first screen to show.
	Folder(ctx context.Context) (Folder, error)
	// Open opens a session, or begins a new one for id "".
	Open(ctx context.Context, id string) (Conversation, error)
	// Sessions lists the folder's sessions, the one used last first: those whose titles have all the words, or all of them.
	Sessions(ctx context.Context, words string) ([]SessionInfo, error)
	// Plans lists the folder's plans, newest first.
	Plans(ctx context.Context) ([]PlanInfo, error)
	// Models lists the models that could answer now.
	Models(ctx context.Context) ([]ModelInfo, error)
	// Model is what is known of a model without asking its server; its name alone where nothing is.
	Model(ctx context.Context, name string) (ModelInfo, error)
	// Settings shows all settings (no arguments), one of them, or sets one for the next start.
	Settings(ctx context.Context, args []string) (string, error)
	// Keep writes a setting that holds at once: model and protocol, which sessions begin with, or a provider's key.
	Keep(ctx context.Context, key, value string) error
	// Status tells where an open session stands, a line for each thing: a name, a colon, and what there is to say.
	Status(ctx context.Context, session string) (string, error)
	// Undoable tells what an undo in an open session would take back, or a redo bring back; turn 0 where there is nothing.
	Undoable(ctx context.Context, session string, redo bool) (Undoable, error)
	// Files lists the folder's files, without what is ignored; paths with slashes.
	Files(ctx context.Context) ([]string, error)
	// Commands are those that people wrote for themselves, and the skills that can be taken up by their names.
	Commands(ctx context.Context) ([]CommandInfo, error)
	// Image reads a picture.
	Image(ctx context.Context, path string) (Image, error)
}

// A Folder is where a host's sessions are, what a new one begins with, and what can be chosen.
type Folder struct {
	Dir       string      `json:"dir"`
	Branch    string      `json:"branch,omitempty"` // of the repository that is there
	Empty     bool        `json:"empty,omitempty"`  // it holds nothing yet
	Note      string      `json:"note,omitempty"`   // what the person should know before the first message
	Model     string      `json:"model"`
	Protocol  string      `json:"protocol"`
	Mode      Mode        `json:"mode"`
	Approve   string      `json:"approve"`             // what runs without being asked, as long as a session does not say otherwise
	Protocols []string    `json:"protocols"`           // that a session can be given
	Providers []KeySource `json:"providers,omitempty"` // a key of one of them makes sessions possible where none was set
}

// A KeySource is a provider of models that can be given a key, and where a person gets one.
type KeySource struct {
	Name  string `json:"name"` // as in the setting providers.NAME.key
	Title string `json:"title"`
	Where string `json:"where"`
	// Begins is what its keys begin with, and no other's; empty where that does not tell.
	Begins string `json:"begins,omitempty"`
}

// A CommandInfo is a command that somebody wrote: a message that begins with a slash and its name stands for what it says.
type CommandInfo struct {
	Name  string `json:"name"`
	Takes string `json:"takes,omitempty"` // what may follow the name
	About string `json:"about,omitempty"`
}

// An Undoable is the turn whose file changes are taken back or brought back, and what that does to the files as they are.
type Undoable struct {
	Turn  int    `json:"turn"`
	Files int    `json:"files"`
	Diff  string `json:"diff"`
}

// FromOpening is the Seq after which a Conversation's Events begin with the Started at the head of the present opening:
// what comes from there on is new.
const FromOpening = -1
