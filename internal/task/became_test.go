package task_test

import (
	"os"
	"path/filepath"
	"testing"

	"nebula"
	"nebula/internal/task"
)

// What took effect before nebula could say so can be taken back to the byte and the mode, like any other change.
func TestWhatWasAcceptedAfterACrashCanBeTakenBack(t *testing.T) {
	seen := func(o *office) nebula.View {
		ref := func(path string) (nebula.FileRef, bool) {
			hash, _, ok := o.look(path)
			return nebula.FileRef{Path: path, Hash: hash}, ok
		}
		return nebula.View{Mode: nebula.AgentMode, Lang: "en", Ref: ref, Seen: func(path string) (string, bool) {
			r, ok := ref(path)
			return r.Hash, ok
		}}
	}
	for name, what := range map[string]nebula.Task{
		"edit":             do("editFile", "path", "run.sh", "new_content", "echo two\n"),
		"delete":           do("deleteFile", "path", "run.sh"),
		"create":           do("writeFile", "path", "new.txt", "content", "x"),
		"create in a new":  do("writeFile", "path", "some/new.txt", "content", "x"),
		"make a directory": do("createDirectory", "path", "made"),
		"make several":     do("createDirectory", "path", "made/deep/er"),
		"create far below": do("writeFile", "path", "some/where/deep/new.txt", "content", "x"),
		"delete one":       do("deleteFile", "path", "empty"),
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.put("run.sh", "echo one\n")
			if err := os.Chmod(filepath.Join(o.dir, "run.sh"), 0o754); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(o.dir, "empty"), 0o711); err != nil {
				t.Fatal(err)
			}
			o.open()
			before := pictured(t, o.dir)
			a := nebula.Action{ID: "a1", Tool: what.Operation, Args: what.Args, Reason: "to test"}
			var p nebula.Proposal
			for _, tool := range o.tools {
				if tool.Spec().Name == what.Operation {
					var err error
					if p, err = tool.Propose(t.Context(), a, seen(o)); err != nil {
						t.Fatal(err)
					}
					p.Action, p.Effect = a, tool.Spec().Effect
				}
			}
			became := task.Became(o.look)
			if r, known := became(p); !known || r.Status == nebula.Done {
				t.Fatalf("before it: %s, %v", r.Status, known)
			}
			if up, rest := p.Targets[0], len(p.Targets) > 1; rest { // cut off when the first directory was made
				if err := os.Mkdir(filepath.Join(o.dir, up.Path), 0o755); err != nil {
					t.Fatal(err)
				}
				r, known := became(p)
				if !known || r.Status == nebula.Done || len(r.Changes) != 1 {
					t.Fatalf("in the middle of it: %s, %v, %+v", r.Status, known, r.Changes)
				}
				if o.takenBack(t, r.Changes); pictured(t, o.dir) != before {
					t.Fatalf("it is\n%s\nand was\n%s", pictured(t, o.dir), before)
				}
			}
			grant := nebula.NewGrant("g1", "test", p)
			if err := grant.Open(p); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Do(t.Context(), nebula.Run{Grant: grant}); err != nil {
				t.Fatal(err)
			}
			r, known := became(p)
			if !known || r.Status != nebula.Done {
				t.Fatalf("after it: %s, %v", r.Status, known)
			}
			o.takenBack(t, r.Changes)
			if now := pictured(t, o.dir); now != before {
				t.Errorf("it is\n%s\nand was\n%s", now, before)
			}
		})
	}
}

func (o *office) takenBack(t *testing.T, changes []nebula.Change) {
	t.Helper()
	undo := nebula.Proposal{Action: nebula.Action{ID: "undo"}, Effect: nebula.Write}
	for _, c := range changes {
		undo.Targets = append(undo.Targets, nebula.Target{Path: c.Path, Hash: c.After})
	}
	back := nebula.NewGrant("g2", "test", undo)
	if err := back.Open(undo); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.work.Restore(t.Context(), back, changes); err != nil {
		t.Fatal(err)
	}
}
