package workspace

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"nebula"
)

// A claimed file says whose work it is, for the other nebulas in the folder: what one of them changed while a command of
// another ran is not the command's. The claims are lines of one file that all append to.
type claimed struct {
	By   string `json:"by"`            // the writer
	Run  string `json:"run,omitempty"` // the command whose work it is
	Path []byte `json:"path"`
	Mode uint32 `json:"mode,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// claimsKept is how long the file may be before it is begun anew, when no other writer lives.
const claimsKept = 1 << 20

//go:noinline
func (g *guild) claims() string { return filepath.Join(g.dir, g.name+"-claims") }

// claimed is how much was claimed so far.
func (g *guild) claimed() int64 {
	if g.dir == "" {
		return 0
	}
	fi, err := os.Stat(g.claims())
	if err != nil {
		return 0
	}
	return fi.Size()
}

// claim says that changes are this writer's, and which command's where they are one's. Without it another could take them for its command's, so that its undo would
// find them: nothing is lost.
func (g *guild) claim(run string, changes []nebula.Change) {
	if g.dir == "" || len(changes) == 0 {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, c := range changes {
		_, after := ends(c)
		_ = enc.Encode(claimed{g.tag, run, []byte(c.Name()), uint32(after.mode), after.hash}) // strings and numbers: always encode
	}
	f, err := os.OpenFile(g.claims(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(b.Bytes())
	_ = f.Close()
}

// others reports whether another writer claimed, after the first so many bytes of claims, that what stands at a path is
// its work. What was claimed for the command itself is no other's: the nebula that ran it told of it, and ended before it
// could be recorded.
func (g *guild) others(run string, since int64, path string, now state) bool {
	if g.dir == "" {
		return false
	}
	g.read(run, since)
	left, ok := g.heard[path]
	return ok && left.equal(now)
}

// read takes in what others claimed since.
func (g *guild) read(run string, since int64) {
	if g.heard != nil && g.heardRun == run && g.heardFrom == since && g.heardTo == g.claimed() {
		return
	}
	g.heard, g.heardRun, g.heardFrom, g.heardTo = map[string]state{}, run, since, g.claimed()
	data, err := os.ReadFile(g.claims())
	if err != nil {
		return
	}
	if since <= int64(len(data)) { // else it was begun anew
		data = data[since:]
	}
	for line := range bytes.Lines(data) {
		var c claimed
		if json.Unmarshal(line, &c) == nil && c.By != g.tag && (run == "" || c.Run != run) {
			_, s := ends(nebula.Change{Kind: "edit", After: c.Hash, ModeAfter: c.Mode})
			g.heard[string(c.Path)] = s
		}
	}
}

// forget begins the claims anew where nobody else needs them.
func (g *guild) forget(alone bool) {
	if alone && g.claimed() > claimsKept {
		_ = os.Remove(g.claims()) // tried again the next time
	}
}
