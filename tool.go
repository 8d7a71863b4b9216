package nebula

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"slices"
)

// A ToolSpec is how a tool is offered to a model. Params stand in their positional order (DML, Sym-Ops).
type ToolSpec struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	Description string   `json:"description"`
	Params      []Param  `json:"params,omitempty"`
	Effect      Effect   `json:"effect"` // the farthest that its actions go; what one does is said by its [Proposal]
	Plans       bool     `json:"-"`      // it may be of use in plan mode although it changes something, see [Proposal].Viewed
	Quiet       bool     `json:"-"`      // understood when a model uses it, and offered only where something needs it
}

// Offered are the tools that a model is told of: all but the quiet ones.
func Offered(tools []ToolSpec) []ToolSpec {
	return slices.DeleteFunc(slices.Clone(tools), func(t ToolSpec) bool { return t.Quiet })
}

// A Param is one argument of a tool.
type Param struct {
	Name        string          `json:"name"`
	Type        string          `json:"type"` // string, boolean, integer, number, array, object
	Required    bool            `json:"required,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`  // replaces Type and Description in the JSON Schema
	Payload     bool            `json:"payload,omitempty"` // file contents or a command: kept to the byte, never repaired
	Quiet       bool            `json:"-"`                 // taken when a model gives it, and not taught
}

// Answers reports whether the tool answers to name.
//
//go:noinline
func (t ToolSpec) Answers(name string) bool {
	return t.Name == name || slices.Contains(t.Aliases, name)
}

// Taught are the parameters that a model is told of.
func (t ToolSpec) Taught() []Param {
	return slices.DeleteFunc(slices.Clone(t.Params), func(p Param) bool { return p.Quiet })
}

// Schema is the JSON Schema of the tool's arguments: one compact object, the same bytes every time. That of a tool which
// changes something ends with the required reason, unless reason is a parameter of its own.
func (t ToolSpec) Schema() json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	params := t.Taught()
	if t.Effect.Changes() && !slices.ContainsFunc(params, func(p Param) bool { return p.Name == "reason" }) {
		params = append(params, Param{Name: "reason", Type: "string", Required: true})
	}
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(p.Name))
		b.WriteByte(':')
		b.Write(p.schema())
	}
	before, end := `},"required":[`, "}}"
	for _, p := range params {
		if p.Required {
			b.WriteString(before)
			b.Write(quote(p.Name))
			before, end = ",", "]}"
		}
	}
	b.WriteString(end)
	return b.Bytes()
}

func (p Param) schema() json.RawMessage {
	if p.Schema != nil {
		return p.Schema
	}
	if p.Description == "" {
		return append(append([]byte(`{"type":`), quote(p.Type)...), '}')
	}
	return slices.Concat([]byte(`{"type":`), quote(p.Type), []byte(`,"description":`), quote(p.Description), []byte("}"))
}

//go:noinline
func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string always marshals
	return b
}

// A Tool does one kind of action.
//
// Propose looks and does not touch: it checks the arguments, computes targets and a diff, and returns what carrying
// it out would do. A mistake of the model (wrong path, file not read) is a [Mistake]; other errors are faults of the
// world. Only the Proposal's Do may change anything, and only as far as its Grant goes.
type Tool interface {
	Spec() ToolSpec
	Propose(ctx context.Context, a Action, v View) (Proposal, error)
}

// An Occasional tool is offered only while it is of use.
type Occasional interface{ Usable() bool }

// A Caller is a Tool that does what others are called for which are no tools here, by their own names: it gives the action as one of
// its own, with nothing else changed.
type Caller interface {
	Calls(a Action) (Action, bool)
}

// A Spotter is a Tool that recognizes what it would do where a text holds it without any call: a reply with such a text,
// and no action, is hardly the answer that it looks like. It only looks, and may err to both sides. known are the files that
// the session has read.
type Spotter interface {
	Spots(text string, known []string) (Spotted, bool)
}

// Spotted is what a [Spotter] recognized.
type Spotted struct {
	Path string // the file that it is about, as far as that is told
	Form Action // how it is called, with words in the place of the contents
}

// A Proposal is what an action would do, shown before it is done.
type Proposal struct {
	Action  Action   `json:"action"`
	Effect  Effect   `json:"effect"` // of this action; nothing is allowed that does not say it
	Targets []Target `json:"targets,omitempty"`
	Summary string   `json:"summary"`           // one line for the person
	Diff    string   `json:"diff,omitempty"`    // unified diff of all file changes
	Command string   `json:"command,omitempty"` // the exact command that would run
	Remote  *Remote  `json:"remote,omitempty"`  // what another program would be asked to do
	Viewed  bool     `json:"viewed,omitempty"`  // it runs on a view of the folder, and what it changes there is a proposal of its own, see [Effects]
	Tries   bool     `json:"tries,omitempty"`   // it would run on the folder, and can run on a view of it where the person wants that, see [Try]
	Ran     string   `json:"ran,omitempty"`     // the command that did all this on a view: nothing runs any more, what it did is kept
	Plan    string   `json:"plan,omitempty"`    // the plan that it carries out, just as it stands
	Risks   []string `json:"risks,omitempty"`   // what only the tool can tell of it: [FilledIn], [Marked], [OnlyPart], [Reduced], [Literal], [Undressed], [Unlinks], [Disowns]
	// Uncovered names some of what it could change in the folder without that undo can take it back, of which there are
	// Bare; Blind says that this is everything.
	Uncovered []string `json:"uncovered,omitempty"`
	Bare      int      `json:"uncovered_count,omitempty"`
	Blind     bool     `json:"blind,omitempty"`
	// List is what the model works through, as it stands from now on, for the person to see.
	List []Item `json:"list,omitempty"`
	// Question is what an action with effect Ask asks; its answer is the action's result, and Do is not called.
	Question *Question                                        `json:"question,omitempty"`
	Tests    bool                                             `json:"-"` // the tests are run by it, whatever the command says
	Unboxed  bool                                             `json:"-"` // what is asked runs on this machine in no box
	Begins   func(id string)                                  `json:"-"` // told before it is recorded that it begins; may be nil
	Do       func(ctx context.Context, r Run) (Result, error) `json:"-"`
	// Instead is the proposal with the diff that the person wrote in the place of this one; nil where the whole is taken or none of it.
	Instead func(diff string) (Proposal, error) `json:"-"`
}

// An Item is a line of a list that the model works through: pending, in progress or completed.
type Item struct {
	Text   string `json:"text"`
	Status Stage  `json:"status"`
}

// A Remote is what a program that is not nebula's is asked to do: by a name of its own, with exactly these arguments.
type Remote struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// Exact is what runs, to the letter: the command, or what another program is asked; empty where neither is.
func (p Proposal) Exact() string {
	if p.Remote == nil {
		return p.Command
	}
	var b bytes.Buffer
	if json.Indent(&b, p.Remote.Args, "", "  ") != nil {
		return p.Remote.Name + "\n" + string(p.Remote.Args)
	}
	return p.Remote.Name + "\n" + b.String()
}

// What a tool says of a change whose content may not be what the model means.
const (
	FilledIn = "filled_in"
	Marked   = "marked"
	OnlyPart = "only_part"
	Reduced  = "reduced" // only a part, and it was given again as it was
	Literal  = "literal" // it looks like what only stands for a text, and the words beside it say that it is meant so
	// Undressed is of a content that stood in a block between words, in quotes, or with its characters written as others.
	Undressed = "undressed"
	// Unlinks is of a file with further names, which keep what they have: a change never reaches where nobody looked.
	Unlinks = "unlinks"
	// Executable is of a file that can be run by its mode, and could not before.
	Executable = "can_be_run"
	// Disowns is of another's file, which belongs to the person when it is changed.
	Disowns = "disowns"
	// SecretFile is of what names a file that holds secrets.
	SecretFile = "secret_file"
	// Unconfined is of a command that would run in no box.
	Unconfined = "unconfined"
	// Reaches, Changes and Reads are of a command that is let out of its box as far as their argument says: a host and its port,
	// or a path.
	Reaches = "reaches"
	Changes = "changes_beside"
	Reads   = "reads_hidden"
	// Background is of a command that goes on in the background, on the folder itself; Feeds of what one such, which its argument
	// says, is given to read.
	Background = "in_background"
	Feeds      = "feeds"
	// Foreign is of what another program does, Ruins where it says itself that it may destroy, and Redefined where it says
	// something else of what it does than it did when the person agreed.
	Foreign   = "foreign"
	Ruins     = "foreign_destroys"
	Redefined = "redefined"
	// Barred and BarredAct are of a change and a command that go against the person's sentence, which is the first argument; nothing holds BarredOpen to it.
	Barred     = "barred"
	BarredAct  = "barred_act"
	BarredOpen = "barred_open"
	// Denies begins what stands there in the place of a sentence of the person's where settings say it: then nobody is asked.
	Denies = "permissions.deny "
	// Opens is of a command that has opened files with secrets, which its argument says.
	Opens = "opens_secret"
	// Keeps is of a command that goes on in the background, and can read files with secrets, which its argument says, all the while.
	Keeps = "keeps_secret"
	// Fetches is of what reads a page of a host of the internet, which its argument says.
	Fetches = "fetches"
)

// A Target is a file as it was when the proposal was shown. Path is relative to the folder, with slashes.
type Target struct {
	Path string `json:"path"`
	Hash string `json:"hash"`           // of the content shown; empty when the file did not exist
	Kind string `json:"kind,omitempty"` // create, edit, delete, mkdir, read
	Add  int    `json:"add,omitempty"`  // lines added
	Del  int    `json:"del,omitempty"`  // lines removed
	Size int64  `json:"size,omitempty"` // bytes after the change
	Was  int64  `json:"was,omitempty"`  // bytes before the change
	// Lines are those before the change, of what loses some to a content that may not be all that is meant; 0 for everything else.
	Lines int    `json:"lines,omitempty"`
	Mode  uint32 `json:"mode,omitempty"` // file mode before the change, as in [Change]
	// ModeAfter is the mode after the change, where that is known beforehand.
	ModeAfter uint32 `json:"mode_after,omitempty"`
	// Link is where it leads after the change, of what will be a symbolic link; Twin is a file of which it will be another name.
	Link string `json:"link,omitempty"`
	Twin string `json:"twin,omitempty"`
	// Named is the path that was asked for, where links lead from it to Path: what its name says counts as well.
	Named string `json:"named,omitempty"`
	// After is the hash of the content after the change, where it is known beforehand; empty for what will not exist.
	After string `json:"after,omitempty"`
	// From is where the file stood before: it was moved, and the target that deletes it there is its other end.
	From string `json:"from,omitempty"`
	// Unshown says that the change is too large to be shown line by line.
	Unshown bool `json:"unshown,omitempty"`
	// Ignored says that the project's own rules leave the file out, or that only builds make it: nobody looks at its lines.
	Ignored bool `json:"ignored,omitempty"`
	// Made says that the session made the file, and that it stands as the session left it: nothing of the person's is in it.
	Made bool `json:"made,omitempty"`
}

// A Run is what a Proposal needs to be carried out.
type Run struct {
	Grant  *Grant
	ID     string             // names the action across sessions and processes
	Output func(chunk []byte) // live output, may be nil; the bytes are only valid during the call
	// Ask puts a question of another program to the person, and reports whether they answered; nil where nobody can be asked.
	Ask func(ctx context.Context, q Question) (answer string, ok bool)
}

// Status is how an action ended.
type Status string

// The statuses of a result.
const (
	Done        Status = "done"
	Failed      Status = "failed"
	Denied      Status = "denied"
	Skipped     Status = "skipped"     // not tried: an earlier action that it needs did not succeed, or the turn ended
	Interrupted Status = "interrupted" // the program ended while it ran; what it did is not known
)

// A Result is how one action ended. Text is what the model reads; Summary is one line for the person.
type Result struct {
	Action  string  `json:"action"` // the action's id
	Call    string  `json:"call,omitempty"`
	Tool    string  `json:"tool"`
	Status  Status  `json:"status"`
	Text    string  `json:"text"`
	Summary string  `json:"summary,omitempty"`
	Images  []Image `json:"images,omitempty"` // that the model is to see
	// Data is what Text says as JSON, for providers and front ends that take it.
	Data    json.RawMessage `json:"data,omitempty"`
	Changes []Change        `json:"changes,omitempty"`
	Lost    []string        `json:"lost,omitempty"`  // paths that it changed, and that undo cannot bring back
	Blind   bool            `json:"blind,omitempty"` // what it changed could not be seen
	Seen    []FileRef       `json:"seen,omitempty"`  // what the model now knows the content of
	Exit    *int            `json:"exit,omitempty"`  // of a command
	// Confined names the layers that held a command; it is empty when none did.
	Confined string      `json:"confined,omitempty"`
	Tests    *TestReport `json:"tests,omitempty"`
	Took     int64       `json:"took_ms,omitempty"`
	// Report is the model's answer for the case that it ended so: given with the action, and of no use otherwise.
	Report string `json:"report,omitempty"`
	// End is how a turn is to end because of it, where that is not for the model to say.
	End EndStatus `json:"end,omitempty"`
	// Narrows are the only tools that run unasked from then on in the turn, as a skill names them; nil where it names none.
	Narrows []string `json:"narrows,omitempty"`
	// Decision is what an action with effect Update asks of the session's state.
	Decision *Decision `json:"decision,omitempty"`
	// Again is the hash of a content that was sent back, and is taken when the model gives it once more.
	Again string `json:"again,omitempty"`
	// Unmade is the path that it was to change, and did not: it failed. Moot says that there was nothing to change.
	Unmade string `json:"unmade,omitempty"`
	Moot   bool   `json:"moot,omitempty"`
	// Dropped are the paths that a command changed on a view of the folder, and that stand in the folder as they were.
	Dropped []string `json:"dropped,omitempty"`
	// Effects is what it did on a view of the folder, as long as nobody has decided on it.
	Effects *Effects `json:"-"`
}

// Effects are what a command did on a view of the folder, which itself is as it was: carrying Keep out has it there too, and
// Drop takes it away. One of the two has to happen, once; each result is what there is to say beside that of the command.
type Effects struct {
	Keep   Proposal
	Drop   func(why string) Result
	Opened *Opened // it opened what holds secrets; nil where it did not, or nobody looked
}

// Opened is of a command that opened what holds secrets: carrying Tell out does what Keep would, and its result may be told. Where that
// is not to be, Hide takes it away, and its result stands in the place of the command's.
type Opened struct {
	Tell Proposal
	Hide func(why string) Result
}

// A Blind command is one whose changes could not be seen: of those that are told with it, the ones from At on were made after it.
type Blind struct {
	Session string `json:"session"`
	Action  string `json:"action"`
	What    string `json:"what"`
	At      int    `json:"at,omitempty"`
}

// Found is what a command changed that could not be seen when it ended, and could be later.
type Found struct {
	Session string   `json:"session,omitempty"` // in which it ran; the same where it is empty
	Action  string   `json:"action"`
	Changes []Change `json:"changes"`
	Lost    []string `json:"lost,omitempty"`
}

// A FileRef is a file with the hash of its content at some moment.
type FileRef struct {
	Path  string   `json:"path"`
	Hash  string   `json:"hash"`
	Lines [][2]int `json:"lines,omitempty"` // the first and last of each run of lines that was shown; all were when empty
}

// A Change is one file's change, with what is needed to take it back. Hashes name contents in the record of
// pre-images; an empty hash means that the file did not exist.
type Change struct {
	Path       string `json:"path"`
	Kind       string `json:"kind"` // create, edit, delete, mkdir, rmdir, mode, time
	Before     string `json:"before,omitempty"`
	After      string `json:"after,omitempty"`
	ModeBefore uint32 `json:"mode_before,omitempty"`
	ModeAfter  uint32 `json:"mode_after,omitempty"`

	// What follows is more than content and mode, as far as it is known. Times are when a file, or the folder it is in, was last changed, in
	// nanoseconds since 1970; the maps are extended attributes.
	Raw          []byte            `json:"raw,omitempty"` // the path's bytes, where they are no UTF-8
	TimeBefore   int64             `json:"time_before,omitempty"`
	TimeAfter    int64             `json:"time_after,omitempty"`
	FolderBefore int64             `json:"folder_before,omitempty"`
	FolderAfter  int64             `json:"folder_after,omitempty"`
	MoreBefore   map[string][]byte `json:"more_before,omitempty"`
	MoreAfter    map[string][]byte `json:"more_after,omitempty"`
	TwinBefore   string            `json:"twin_before,omitempty"` // another path of the same file: a hard link
	TwinAfter    string            `json:"twin_after,omitempty"`
	OwnerBefore  string            `json:"owner_before,omitempty"` // the numbers of user and group: 1000:1000
	OwnerAfter   string            `json:"owner_after,omitempty"`

	// Ignored is of a change by a command to what the project's rules leave out, or that only tools write.
	Ignored bool `json:"ignored,omitempty"`

	// Already is of a change that an undo found done: by the person, or by an undo that was cut off.
	Already bool `json:"already,omitempty"`
}

// Name is the path to the byte.
//
//go:noinline
func (c Change) Name() string {
	if c.Raw != nil {
		return string(c.Raw)
	}
	return c.Path
}

// OfFile reports whether the change is one of a file's content or mode: those of directories, and of times alone, are
// nothing that a person counts.
//
//go:noinline
func (c Change) OfFile() bool {
	return c.Kind != "mkdir" && c.Kind != "rmdir" && c.Kind != "time" && !fs.FileMode(c.ModeAfter|c.ModeBefore).IsDir()
}

// A Left is a path that undo did not bring back to what it was, and why: it was changed since, what it was is lost, or
// something stands in the way, which Text tells.
type Left struct {
	Path string `json:"path"`
	Why  Why    `json:"why"`
	Text string `json:"text,omitempty"`
}

// Why a path was left.
type Why string

// The reasons.
const (
	ChangedSince Why = "changed" // by the person, or by another program
	// ChangedBetween is for a path that somebody else wrote between two of the changes: those since then were taken back.
	ChangedBetween Why = "between"

	// OtherOwner is for a path that was brought back but belongs to somebody else than before: the system would not have it.
	OtherOwner Why = "owner"

	// Apart is for a name of a file that had several: the content is back, as a file of its own. It is taken up by a further undo.
	Apart Why = "apart"

	NeverKept    Why = "lost"   // its content from before was not kept
	BeingWritten Why = "open"   // another program has it open to write in it
	InTheWay     Why = "fault"  // the system would not have it
	InPart       Why = "part"   // a part of it was done, which is a change of its own, until the system would have no more
	Stray        Why = "stray"  // a file that nebula wrote for the time of a change and cannot remove
	Unseen       Why = "unseen" // what a command changed, which Text names, in the place of a path
)

// A TestReport is what a test run said. Counts are -1 where the runner's output did not tell.
type TestReport struct {
	Command string `json:"command"`
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"`
	Skipped int    `json:"skipped"`
	OK      bool   `json:"ok"`
	Chosen  bool   `json:"chosen,omitempty"` // the person set the command up: it need not count
	// Failing names what failed, as far as the runner does.
	Failing []string `json:"failing,omitempty"`
}

// Key names a proposal by its exact kind and target: what "always" at the gate remembers.
func (p Proposal) Key() string {
	if line := p.Line(); line != "" {
		return p.Action.Tool + " " + line + p.needs()
	}
	if p.Remote != nil {
		return p.Action.Tool + " " + p.Remote.Name
	}
	key := p.Action.Tool
	for _, t := range p.Targets {
		key += " " + t.Path
	}
	return key
}

// Beyond are the paths and hosts outside of the folder at which it is let change something: what it does there is not undone.
func (p Proposal) Beyond() (at []string) {
	for _, r := range p.Risks {
		if code := Code(r); code.Is(Changes, Reaches) {
			_, about := code.Split()
			at = append(at, about...)
		}
	}
	return at
}

// Line is the command that would run, or the one that ran and whose effects would be kept.
//
//go:noinline
func (p Proposal) Line() string {
	if p.Command == "" {
		return p.Ran
	}
	return p.Command
}

// needs are what a command is let out of its box for, as a part of its key: what was allowed without is not allowed with them.
//
//go:noinline
func (p Proposal) needs() (key string) {
	for _, r := range p.Risks {
		if Beside(Code(r)) {
			key += "\n" + r
		}
	}
	return key
}

// Beside reports whether a code says that a command is let out of its box for something, or out of the person's sight: what was
// allowed without is not allowed with it.
//
//go:noinline
func Beside(c Code) bool {
	return c.Is(Reaches, Changes, Reads, Background, Feeds)
}
