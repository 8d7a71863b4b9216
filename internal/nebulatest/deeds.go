package nebulatest

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"

	"nebula"
)

// Deeds is a proposal to keep what a command did to some files, and what a person has to read of each of them, in English:
// its name with what happens to it. Of one of the files the diff shows lines.
func Deeds(rnd *rand.Rand, n int) (p nebula.Proposal, told []string) {
	odd := []string{"", " ", "\u202e", "рay", "⟦U+200B⟧", "\x1b[2K", "日本", "~ ", "\n"}
	p = nebula.Proposal{Action: nebula.Action{Tool: "run"}, Effect: nebula.Write, Ran: "make", Summary: "keep what it did",
		Targets: []nebula.Target{{Path: "lines.txt", Kind: "edit", Mode: 0o644, ModeAfter: 0o644, Add: 1, Del: 1, Was: 4, Size: 4, Hash: "x", After: "y"}},
		Diff:    "--- a/lines.txt\n+++ b/lines.txt\n@@ -1 +1 @@\n-one\n+two\n"}
	for i := range n {
		name := fmt.Sprintf("d%d/%sf%d", rnd.IntN(1_000_000), odd[rnd.IntN(len(odd))], i)
		t, text := deeds[rnd.IntN(len(deeds))](name)
		t.Path = name
		p.Targets = append(p.Targets, t)
		told = append(told, text)
	}
	rnd.Shuffle(len(p.Targets), func(i, j int) { p.Targets[i], p.Targets[j] = p.Targets[j], p.Targets[i] })
	return p, told
}

// deeds are what can become of a file.
var deeds = []func(name string) (nebula.Target, string){
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "delete", Mode: 0o644, Hash: "h", Was: 2_700_000}, "deletes " + name + " (2.7 MB)"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "delete", Mode: 0o600, Hash: "h"}, "deletes " + name + " (empty)"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "delete", Mode: uint32(fs.ModeSymlink | 0o777), Hash: "h"}, "deletes the link " + name
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "rmdir", Mode: uint32(fs.ModeDir | 0o755)}, "deletes the folder " + name
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "mkdir", ModeAfter: uint32(fs.ModeDir | 0o755)}, "makes the folder " + name
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "create", ModeAfter: 0o644, After: "h"}, "makes " + name + ", empty"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "create", ModeAfter: uint32(fs.ModeSymlink | 0o777), After: "h", Link: "/etc/" + name}, "makes " + name + " a link to /etc/" + name
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "create", ModeAfter: 0o644, After: "h", Twin: "twin/" + name}, "makes " + name + " another name of the file twin/" + name
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "mode", Mode: 0o644, ModeAfter: 0o755, Hash: "h", After: "h"}, "rights of " + name + ": 644 → 755"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "create", ModeAfter: uint32(fs.ModeSetuid | 0o755), After: "h", Size: 9}, "rights of " + name + ": 4755"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "create", ModeAfter: 0o644, After: "h", From: "old/" + name}, "moves old/" + name + " to " + name
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "edit", Mode: 0o644, ModeAfter: 0o644, Hash: "h", After: "i", Was: 1000, Size: 5_000_000, Unshown: true}, "changes " + name + " (1.0 KB → 5.0 MB), not shown"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "edit", Mode: 0o644, ModeAfter: 0o644, Hash: "h", After: "i", Was: 12}, "empties " + name + " (12 B)"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "edit", Mode: 0o644, ModeAfter: uint32(fs.ModeNamedPipe | 0o644), Hash: "h"}, name + " is now a file of another kind: prw-r--r--, was -rw-r--r--"
	},
	func(name string) (nebula.Target, string) {
		return nebula.Target{Kind: "delete", Mode: 0o644, Hash: "h", Ignored: true}, "deletes " + name + ", which the project ignores"
	},
}

// deedsIn are the rows of a screen that say what becomes of files, to the letter.
func deedsIn(screen string) (rows []string) {
	deed := false // whether the last row was of one
	for row := range strings.SplitSeq(screen, "\n") {
		row = strings.TrimLeft(row, " ")
		rest, more := strings.CutPrefix(row, "↳ ")
		switch text, ok := strings.CutPrefix(row, "~ "); {
		case ok:
			rows = append(rows, strings.TrimRight(text, " "))
		case deed && more: // a row that was too long for the screen goes on, a mark in the middle too
			rows[len(rows)-1] += strings.TrimRight(rest, " ")
			continue
		}
		deed = strings.HasPrefix(row, "~ ")
	}
	for i, text := range rows {
		rows[i] = Unshown(text)
	}
	return rows
}
