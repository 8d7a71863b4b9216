package nebula

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"time"
)

// A Store is the record: what nebula must not lose. internal/record has what every store has in common, and
// nebulatest.TestStore is what this contract means as tests.
//
// All methods may be called from any goroutine, and several Stores over the same data, in one process or in several, see
// what each of them has kept. What a method returned nil for is on disk, whole, and outlives a crash; what it returned an
// error for is not there at all. A context is looked at before a change begins; once begun it is brought to its end. Where
// an error is named here, errors.Is or errors.As finds it. Other errors are the store's own faults, in the person's words
// ([Speaker]).
type Store interface {
	SessionStore
	Contents
	PlanStore
	MemoryStore

	// Close gives up what the Store holds. It costs nothing that was kept.
	Close() error
}

// A SessionStore keeps sessions as chained logs of events, and a line about each that is made from its events. An id is
// any text that is not empty.
type SessionStore interface {
	// Create begins a session without events; Started is now where it is zero. It fails where the id is taken. A power cut may
	// take a session that no events were appended to yet.
	Create(ctx context.Context, s SessionInfo) error

	// Append adds stored events that follow what the session holds, all or none. Their Seq are consecutive; where the first
	// is not the next one, another writer was there: [ErrInUse]. [ErrNoSession] where there is no such session.
	Append(ctx context.Context, session string, events ...Event) error

	// Load yields a session's events in order, up to those that it had at the beginning; appending goes on meanwhile. An
	// error is the last that is yielded: [ErrNoSession], the context's, or a [Broken] where an event is missing or cannot
	// be read. A load that was cut short never looks whole.
	Load(ctx context.Context, session string) iter.Seq2[Event, error]

	// Records yields what is stored of a session after a Seq, as it is stored and in order: for whoever checks or copies
	// it. It decides nothing: where one is missing, the next one follows.
	Records(ctx context.Context, session string, after int64) iter.Seq2[Record, error]

	// Head is the end of a session's chain as the session's own line has it. [ErrNoSession].
	Head(ctx context.Context, session string) (Head, error)

	// Sessions lists those of a folder that people talk in, the one used last first; all folders' for dir "". AllSessions
	// lists the steps' too.
	Sessions(ctx context.Context, dir string) ([]SessionInfo, error)
	AllSessions(ctx context.Context, dir string) ([]SessionInfo, error)

	// Find gives the session with an id, or the only one whose id begins with it: else [ErrNoSession] or an [Ambiguous].
	Find(ctx context.Context, id string) (SessionInfo, error)

	// Remove deletes a session, its events and the contents that only it names. What was counted of it stays. [ErrInUse]
	// while it is locked, [ErrNoSession].
	Remove(ctx context.Context, id string) error

	// Lock makes an id, which need not be a session's, the caller's own until unlock or the end of its process:
	// [ErrInUse] while it is another's.
	Lock(ctx context.Context, id string) (unlock func(), err error)
}

// Contents keeps bytes by their hash, for undo: see [Hash]. They stay while a session's events name them, and for an hour
// after they were kept: whoever keeps them records them next. Keeping what is there already costs little. [ErrNoContent]
// for what is not there; what is there and is not what was kept is an error.
type Contents interface {
	Keep(ctx context.Context, data []byte) (hash string, err error)
	Content(ctx context.Context, hash string) ([]byte, error)

	// KeepMany keeps contents, all or none.
	KeepMany(ctx context.Context, contents [][]byte) error
	// KeepFile keeps a content of so many bytes, which need not fit into memory; io.ErrUnexpectedEOF where it has another
	// size.
	KeepFile(ctx context.Context, content io.Reader, size int64) (hash string, err error)
	// OpenContent gives a content of any size back. What is not what was kept ends with an error instead of io.EOF.
	OpenContent(ctx context.Context, hash string) (io.ReadCloser, error)
}

// A PlanStore keeps the plans of projects.
type PlanStore interface {
	// SavePlan keeps p, whose Version is one more than the one that is kept, 1 where none is: else it keeps nothing and
	// fails with [ErrPlanChanged]. Steps tells which steps differ from what is kept and that no step came, went or moved;
	// without it all are written.
	SavePlan(ctx context.Context, project string, p Plan, steps ...string) error
	// Plan reads a plan by its id or a prefix that only it has; the newest for "". [ErrNoPlan].
	Plan(ctx context.Context, project, id string) (Plan, error)
	// Plans lists the plans of a project, newest first.
	Plans(ctx context.Context, project string) ([]PlanInfo, error)
	// RemovePlan forgets a plan, named as in Plan.
	RemovePlan(ctx context.Context, project, id string) error
}

// A MemoryStore keeps what outlives sessions: notes, and counts that the events of sessions add up to.
type MemoryStore interface {
	// Memory is what is remembered for a folder: the person's notes first, then the folder's, oldest first; its counts; and
	// the last five sessions begun in it, without the one that goes on.
	Memory(ctx context.Context, project, session string) (Remembered, error)
	// Totals are the counts over all folders.
	Totals(ctx context.Context) (Remembered, error)
	// Remember keeps a note for a folder, or for the person everywhere where project is empty. One that is there stays as
	// it is.
	Remember(ctx context.Context, project, note string) error
	// Forget removes a note by its id. [ErrNoNote].
	Forget(ctx context.Context, id int64) error
	// Renote puts notes in the place of those of a folder, or of the person's. Those whose text stays keep their moment.
	Renote(ctx context.Context, project string, notes []string) error
	// Spoken is what was counted of a model's replies at a server, of all models' for the model "". It is ordered by its
	// first four fields.
	Spoken(ctx context.Context, model, server string) ([]Spoken, error)
}

// A Link ties an event to everything before it in its session.
type Link [32]byte

// A Record is an event as it is stored.
type Record struct {
	Seq  int64
	At   int64 // nanoseconds since 1970, 0 for the zero time
	Type string
	Data string // JSON, byte for byte what the chain was made over
	Link Link
}

// A Head is the end of a session's chain. Before the first event Seq is 0.
type Head struct {
	Seq  int64
	Link Link
}

// StepPrefix begins the ids of sessions in which the steps of plans are carried out. Nobody talks in them, so
// [SessionStore.Sessions] leaves them out; by their ids they are found like others.
const StepPrefix = "step-"

// PlanPrefix begins the ids of sessions that were opened to carry a plan out, by a command: what their steps did stands in
// the plan, and they are not remembered as conversations.
const PlanPrefix = "plan-"

// A SessionInfo is one line of the list of sessions.
type SessionInfo struct {
	ID       string    `json:"id"`
	Dir      string    `json:"dir"`
	Model    string    `json:"model"`
	Started  time.Time `json:"started_at"`
	Ended    time.Time `json:"ended_at,omitzero"` // zero while open, or after a crash
	Last     time.Time `json:"last_at"`
	Messages int       `json:"messages"`
	Title    string    `json:"title"` // the first request, one line
}

// Errors of a [Store].
var (
	ErrNoSession   = errors.New("no such session")
	ErrInUse       = errors.New("session is open in another nebula")
	ErrClosed      = errors.New("the session has ended")
	ErrNoContent   = errors.New("no such content") // never kept, or gone with the last session that named it
	ErrNoNote      = errors.New("no such note")
	ErrNoPlan      = errors.New("no such plan")
	ErrPlanChanged = errors.New("the plan was changed elsewhere meanwhile")
)

// A Broken is where a session's record is not what was written.
type Broken struct {
	Session string
	Seq     int64 // the first event that does not fit
	Text    Words
}

// Error is the sentence in English.
func (b *Broken) Error() string { return b.Words().String() }

// Words implements [Speaker].
func (b *Broken) Words() Words {
	return Say("session %s: the record is broken at event %d: %s", b.Session, b.Seq, b.Text)
}

// An Ambiguous prefix stands for more than one session.
type Ambiguous struct {
	Prefix string
	IDs    []string // the first few
}

// Error is the sentence in English.
func (a *Ambiguous) Error() string { return a.Words().String() }

// Words implements [Speaker].
func (a *Ambiguous) Words() Words {
	return Say("session %s could be %s: give more of the id", a.Prefix, strings.Join(a.IDs, ", "))
}

// A Remembered is what outlives a folder's sessions: notes that were agreed to, and what the record itself tells.
type Remembered struct {
	Sessions int    `json:"sessions"` // begun in the folder
	Files    int    `json:"files"`    // changed, as often as they were; shown as changes
	Done     int    `json:"done"`     // actions that succeeded
	Notes    []Note `json:"notes"`
	Recent   []Talk `json:"recent"` // the last conversations, oldest first
}

// A Note is one line to remember.
type Note struct {
	ID      int64     `json:"id"`
	Project string    `json:"project"` // a folder; empty for what holds for the person everywhere
	At      time.Time `json:"at"`
	Text    string    `json:"text"`
}

// A Talk is an earlier conversation in short.
type Talk struct {
	ID      string    `json:"id"`
	At      time.Time `json:"at"`    // of its last event
	Title   string    `json:"title"` // the first request
	Outcome EndStatus `json:"outcome"`
	Files   int       `json:"files"` // changed in it
}

// A Spoken counts the replies of one model, at one server, that was taught one protocol and wrote in one dialect.
type Spoken struct {
	Model     string `json:"model"`
	Server    string `json:"server"`
	Protocol  string `json:"protocol"`          // the one taught
	Dialect   string `json:"dialect,omitempty"` // the one written, where it is another
	Replies   int    `json:"replies"`
	Strict    int    `json:"strict"`
	Repaired  int    `json:"repaired"`
	Inferred  int    `json:"inferred"`
	Corrected int    `json:"corrected"`
	Extracted int    `json:"extracted"`
	Failed    int    `json:"failed"`
	Actions   int    `json:"actions"`
	Tokens    int    `json:"tokens"` // written in replies with actions
}
