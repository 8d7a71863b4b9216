package gate

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Protection is how far files are protected beyond the folder itself (Duckflow v3 §12). A higher level has the checks
// of the lower ones; the zero value is the highest.
type Protection int

// The levels.
const (
	Full       Protection = iota // all of the below, and the risk of an action is weighed
	Folder                       // nothing outside the folder
	Extensions                   // files that run or that the system reads ask
	Contents                     // and what would shrink or empty a file, or write a secret into it, asks
)

//go:noinline
func (p Protection) has(level Protection) bool { return p == Full || level != Full && p >= level }

// Level of risk.
const (
	Low    = "low"
	Medium = "medium"
	High   = "high"
)

// A Danger is one thing that makes an action risky.
type Danger = nebula.Code

// The dangers, by rule.
const (
	Deletes      Danger = "deletes"
	Secret       Danger = nebula.SecretFile
	System       Danger = "system_file"
	Runs         Danger = nebula.Executable
	Shrinks      Danger = "shrinks"
	Empties      Danger = "empties"
	WritesSecret Danger = "writes_secret"
	Unshown      Danger = "unshown"
	Becomes      Danger = "becomes"
	Bulk         Danger = "bulk"
	Destroys     Danger = "destroys"
	Outside      Danger = "outside"
	Network      Danger = "network"
	Privileged   Danger = "privileged"
	Publishes    Danger = "publishes"
	Unclear      Danger = "unclear"
	Unreadable   Danger = "unreadable"
	Unknown      Danger = "unknown_program"
	RunsCode     Danger = "runs_code"
	Alters       Danger = "alters"
	Own          Danger = "own_settings"
	Steers       Danger = "steers"
	Huge         Danger = "huge_file"
	AtBuild      Danger = "at_build"
	FilledIn     Danger = nebula.FilledIn
	Marked       Danger = nebula.Marked
	Part         Danger = nebula.OnlyPart
	Reduced      Danger = nebula.Reduced
	Literal      Danger = nebula.Literal
	Fewer        Danger = "fewer" // lines, as many as its arguments say
	Undressed    Danger = nebula.Undressed
	Unlinks      Danger = nebula.Unlinks
	Disowns      Danger = nebula.Disowns
	Unconfined   Danger = nebula.Unconfined
	Reaches      Danger = nebula.Reaches
	Changes      Danger = nebula.Changes
	Reads        Danger = nebula.Reads
	Background   Danger = nebula.Background
	Feeds        Danger = nebula.Feeds
	Foreign      Danger = nebula.Foreign
	Ruins        Danger = nebula.Ruins
	Redefined    Danger = nebula.Redefined
	Fetches      Danger = nebula.Fetches
	Opens        Danger = nebula.Opens
	Keeps        Danger = nebula.Keeps
	Barred       Danger = nebula.Barred
	BarredAct    Danger = nebula.BarredAct
	BarredOpen   Danger = nebula.BarredOpen
)

// A row is what follows from a danger.
type row struct {
	danger Danger
	weight string // on its own
	about  trait
}

// A trait is what more there is to a danger.
type trait int

const (
	stake     trait = 1 << iota // neither a remembered approval nor --approve edits is enough for the file
	guess                       // it is uncertain that the content is the one that is meant
	takes                       // something is gone that was there
	elsewhere                   // more happens than undo can bring back
)

// rows are all dangers there are, those first that say best what could be done instead. A new one is a constant, a row, and its
// words in each language; what could be done in its place stands there too.
var rows = [...]row{
	{FilledIn, Medium, guess},
	{Marked, High, guess},
	{Part, Medium, guess | takes},
	{Reduced, Medium, guess | takes},
	{Literal, Medium, guess},
	{Fewer, Low, 0},
	{Undressed, Medium, guess},
	{Redefined, High, guess},
	{Empties, High, stake | takes},
	{Secret, High, stake},
	{Steers, Medium, stake},
	{AtBuild, Medium, 0},
	{Destroys, High, takes | elsewhere},
	{Publishes, High, elsewhere},
	{Privileged, High, elsewhere},
	{Outside, High, elsewhere},
	{Network, Medium, elsewhere},
	{Unclear, Medium, 0},
	{RunsCode, Medium, 0},
	{Deletes, Medium, stake | takes},
	{System, Medium, stake},
	{Runs, Medium, stake},
	{Shrinks, Medium, stake | takes},
	{WritesSecret, High, stake},
	{Unshown, High, stake},
	{Becomes, High, stake},
	{Bulk, Medium, stake},
	{Huge, Medium, stake},
	{Unreadable, High, 0},
	{Unknown, Medium, 0},
	{Alters, Medium, 0},
	{Own, High, 0},
	{Unlinks, Low, 0},
	{Disowns, Medium, 0},
	{Unconfined, High, 0},
	{Reaches, Medium, elsewhere},
	{Changes, High, elsewhere},
	{Reads, High, 0},
	{Background, Medium, 0},
	{Feeds, Medium, 0},
	{Foreign, Medium, elsewhere},
	{Ruins, High, takes | elsewhere},
	{Fetches, Medium, 0},
	{Opens, High, 0},
	{Keeps, Medium, 0},
	{Barred, High, stake},
	{BarredAct, High, stake},
	{BarredOpen, High, stake},
}

// rowOf is a danger's row. One that there is none for could be anything.
func rowOf(d Danger) row {
	id, _ := d.Split()
	if i := slices.IndexFunc(rows[:], func(r row) bool { return string(r.danger) == id }); i >= 0 {
		return rows[i]
	}
	return row{d, High, stake | takes | elsewhere}
}

// first is the first of some dangers that has one of some traits, empty for none.
//
//go:noinline
func first(dangers []Danger, traits trait) Danger {
	if i := slices.IndexFunc(dangers, func(d Danger) bool { return rowOf(d).about&traits != 0 }); i >= 0 {
		return dangers[i]
	}
	return ""
}

// Dangers are what makes a proposal risky, in a stable order. own are nebula's own folders.
func Dangers(p nebula.Proposal, level Protection, own ...string) []Danger {
	var found []Danger
	switch p.Effect {
	case nebula.Write:
		found = files(p, level)
	case nebula.Read:
		if slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return level.Secret(t.Path) || level.Secret(t.Named) }) {
			found = append(found, Secret)
		}
	}
	for _, r := range p.Risks {
		found = append(found, Danger(r))
	}
	if p.Command != "" {
		found = append(found, command(p.Command, own...)...)
	}
	return found
}

// Destructive reports whether a proposal takes something away that was there: it deletes or empties a file, leaves little or
// nothing of one as it was, or runs a command that destroys.
func Destructive(p nebula.Proposal) bool {
	return first(Dangers(p, Full), takes) != "" || slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return t.Kind == "edit" && t.Was >= smallFile && t.Del > 0 }) &&
		!strings.Contains(p.Diff, "\n ") && !staying(p.Diff)
}

// staying reports whether half of the lines that a diff takes away is at the ends of those in their place, as where something is changed
// within the only line of a file.
func staying(diff string) bool {
	var gone, come strings.Builder
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		case strings.HasPrefix(line, "-"):
			gone.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			come.WriteString(line[1:])
		}
	}
	was, is := strings.TrimSpace(gone.String()), strings.TrimSpace(come.String())
	head := 0
	for head < min(len(was), len(is)) && was[head] == is[head] {
		head++
	}
	tail := 0
	for tail < min(len(was), len(is))-head && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	return head+tail > len(was)/2
}

// Risk is the level that dangers add up to: the highest of them, and three medium ones are high.
func Risk(dangers []Danger) string {
	medium := 0
	for _, d := range dangers {
		switch rowOf(d).weight {
		case High:
			return High
		case Medium:
			medium++
		}
	}
	switch {
	case medium >= 3:
		return High
	case medium > 0:
		return Medium
	}
	return Low
}

// Bounds of what counts as much at once.
const (
	bulkFiles = 10
	bulkLines = 1000
	smallFile = 64 // bytes: below, shrinking is no sign
	hugeFile  = 16 << 20
)

func files(p nebula.Proposal, level Protection) []Danger {
	var found []Danger
	add := func(d Danger) {
		if !lists.Has(found, d) {
			found = append(found, d)
		}
	}
	lines, shown, moved := 0, 0, from(p)
	for _, t := range p.Targets {
		if t.Ignored {
			for _, d := range called(t) {
				if level.has(Extensions) && precious(d) && !(d == Steers && ofItself(t, p.Targets)) {
					add(d)
				}
			}
			continue
		}
		shown++
		lines += t.Add + t.Del
		if t.Lines > 0 {
			add(nebula.NewCode(string(Fewer), strconv.Itoa(t.Lines), strconv.Itoa(t.Lines-t.Del+t.Add)))
		}
		if t.Kind == "delete" && !moved[t.Path] && !t.Made {
			add(Deletes)
		}
		if t.Unshown {
			add(Unshown)
		}
		if becomes(t) {
			add(Becomes)
		}
		if max(t.Size, t.Was) > hugeFile {
			add(Huge)
		}
		if level.has(Extensions) {
			for _, d := range called(t) {
				add(d)
			}
		}
		if level.has(Contents) && t.Kind == "edit" && !t.Made {
			switch {
			case t.Size == 0 && t.Was > 0:
				add(Empties)
			case t.Was >= smallFile && t.Size < t.Was/2:
				add(Shrinks)
			}
		}
	}
	if shown >= bulkFiles || lines >= bulkLines {
		add(Bulk)
	}
	if level.has(Extensions) && atBuild(p) {
		add(AtBuild)
	}
	if level.has(Contents) && secrets(added(p.Diff)) {
		add(WritesSecret)
	}
	return found
}

// becomes reports whether what was a file will be another thing, or something will be a link: its lines tell nothing of it.
func becomes(t nebula.Target) bool {
	was, is := fs.FileMode(t.Mode), fs.FileMode(t.ModeAfter)
	return is&fs.ModeSymlink != 0 || was != 0 && is != 0 && was.Type() != is.Type()
}

// from are the paths at which files stood that were moved: they are not deleted, they stand elsewhere.
//
//go:noinline
func from(p nebula.Proposal) map[string]bool {
	paths := map[string]bool{}
	for _, t := range p.Targets {
		if t.From != "" && t.Kind == "create" {
			paths[t.From] = true
		}
	}
	return paths
}

// precious reports whether a file's name tells of a danger that it has also where a project leaves it out of its repository.
func precious(d Danger) bool { return d == Secret || d == Steers }

// ofItself reports whether a file is what a folder that a project leaves out, made with it, says to leave itself out: a cache's .gitignore
// steers nobody.
func ofItself(t nebula.Target, all []nebula.Target) bool {
	return t.Kind == "create" && t.Link == "" && t.Named == "" && path.Base(t.Path) == ".gitignore" && slices.ContainsFunc(all, func(o nebula.Target) bool {
		return o.Ignored && o.Kind == "mkdir" && o.Path == path.Dir(t.Path)
	})
}

// added are the lines that a diff adds.
func added(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++") {
			b.WriteString(line[1:])
		}
	}
	return b.String()
}

var secretForms = &lazy.Pattern{X: `-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bxox[abpr]-[A-Za-z0-9-]{10,}|\bsk-[A-Za-z0-9_-]{20,}|\bAIza[0-9A-Za-z_-]{30,}|\bglpat-[A-Za-z0-9_-]{16,}`}

var secretWords = &lazy.Pattern{X: `(?i)(?:api[_-]?key|secret|passw(?:or)?d|token)["']?\s*[:=]\s*["'][^"'\s${<]{12,}["']`}

// secrets reports whether a text holds something that looks like a key or a password.
func secrets(text string) bool {
	return hasSecretMark(text) && (secretForms.In(text) || secretWords.In(text))
}

// told are secrets as people write them in a sentence, and in an address.
var toldSecret = &lazy.Pattern{X: `(?i)(?:api[ _-]?(?:key|キー)|secret|passw(?:or)?d|passphrase|token|パスワード|暗証番号|秘密鍵|トークン)["'」]?\s*(?:is|are|:|=|：|は|が)\s*["'「]?(?:[^\s$]{3,}[0-9!@#%^&*=]|[^\s$]{0,2}[0-9!@#%^&*=]\S{4})|[a-z]://[^/\s:@]+:[^/\s@]+@`}

// Confidential reports whether a note holds something that looks like a key or a password, in code or in a sentence.
func Confidential(note string) bool { return secrets(note) || toldSecret.In(note) }

// argued are the texts among an action's arguments, a line each.
func argued(args []byte) string {
	var fields map[string]any
	if json.Unmarshal(args, &fields) != nil {
		return string(args)
	}
	var b strings.Builder
	for _, v := range fields {
		if text, ok := v.(string); ok {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// hasSecretMark is the cheap look before the regular expressions.
func hasSecretMark(text string) bool {
	for _, mark := range []string{"PRIVATE KEY", "AKIA", "gh", "xox", "sk-", "AIza", "glpat-"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	low := strings.ToLower(text)
	for _, mark := range []string{"key", "secret", "passw", "token"} {
		if strings.Contains(low, mark) {
			return true
		}
	}
	return false
}
