package tool_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/tool"
)

// A part of settings or of a text, a remark, an old text beside a new one: none of them is the file.
func TestUnitsOfAFileAreNotLost(t *testing.T) {
	const compose = "services:\n  web:\n    image: nginx\n  db:\n    image: postgres\nvolumes:\n  data:\n"
	const guide = "# Guide\n\n## One\n\nText one.\n\n## Two\n\nText two.\n"
	const ini = "[a]\nx = 1\ny = 2\n\n[b]\nz = 3\n"
	for _, c := range []struct{ path, was, now, next string }{
		{"dc.yml", compose, "services:\n  web:\n    image: nginx:2\n  db:\n    image: postgres:16\n", ""},
		{"c.yaml", "host: a\nport: 80\n", "port: 8080\n", ""},
		{"c.yaml", "host: a\nport: 80\n", "port:\n  from: 80\n  to: 8080\n", "host: a\nport: 8080\n"},
		{"c.yaml", "host: a\nport: 80\n", "host: b\nport: 8080\n", "host: b\nport: 8080\n"},
		{"dc.yml", compose, compose + "networks:\n  net:\n", compose + "networks:\n  net:\n"},
		{"c.ini", ini, "[a]\nx = 9\ny = 2\n", ""},
		{"c.ini", ini, "[a]\nx = 9\n\n[b]\nz = 3\n", "[a]\nx = 9\n\n[b]\nz = 3\n"},
		{"p.toml", "[tool]\nname = \"x\"\nversion = \"0.1\"\n", "[tool]\nversion = \"0.2\"\n", ""},
		{"package.json", "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"test\": \"a\"\n  }\n}\n", "{\n  \"scripts\": {\n    \"test\": \"b\"\n  }\n}\n", ""},
		{"GUIDE.md", guide, "## Three\n\nText three.\n", ""},
		{"GUIDE.md", guide, "(rest of the guide)\n\n## Three\n\nText three.\n", ""},
		{"GUIDE.md", guide, guide + "\n## Three\n\nText three.\n", guide + "\n## Three\n\nText three.\n"},
		{"one.js", "export const inc = (n) => n + 2;\n", "// the corrected function goes here\n", ""},
		{"one.js", "export const inc = (n) => n + 2;\n", "old: export const inc = (n) => n + 2;\nnew: export const inc = (n) => n + 1;\n", "export const inc = (n) => n + 1;\n"},
		{"one.js", "export const inc = (n) => n + 2;\n", "export const inc = (n) => n + 2;\nexport const inc = (n) => n + 1;\n", "export const inc = (n) => n + 1;\n"},
		{"VERSION", "1.2.3\n", "1.2.3\n1.2.4\n", "1.2.4\n"},
		{"VERSION", "1.2.3\n", "VERSION=1.2.4\n", "1.2.4\n"},
		{"dc.yml", compose, "image: nginx → nginx:2\n", strings.Replace(compose, "nginx", "nginx:2", 1)},
		{"c.yaml", "host: a.local\nport: 80\n", "host: a.local → example.org\n", "host: example.org\nport: 80\n"},
		{"README.md", "# Tool\n\n- one\n- two\n", "- one → one!\n", "# Tool\n\n- one!\n- two\n"},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{c.path: c.was})
		f.must("readFile", args{"path": c.path})
		p, err := f.propose("editFile", args{"path": c.path, "new_content": c.now})
		switch m := (*nebula.Mistake)(nil); {
		case c.next == "" && (!errors.As(err, &m) || m.Again == ""):
			t.Errorf("%s: %q is written: %v", c.path, c.now, err)
		case c.next != "" && (err != nil || p.Targets[0].After != nebula.Hash([]byte(c.next))):
			t.Errorf("%s: %q: %v\n%s", c.path, c.now, err, p.Diff)
		}
	}
}

// A file that was read is written anew by writeFile as by editFile, with the same guards; one that nobody read is not, and the ways are named.
func TestWriteFileOverWhatWasReadIsItsNewContent(t *testing.T) {
	for _, c := range []struct {
		now  string
		back bool
	}{
		{"host: a\nport: 8080\nuser: b\n", false},
		{"port: 8080\n", true},
		{"set port to 8080\n", true},
	} {
		f := newFolder(t, tool.Options{}, map[string]string{"c.yaml": "host: a\nport: 80\nuser: b\n"})
		if _, err := f.propose("writeFile", args{"path": "c.yaml", "content": c.now}); err == nil || !strings.Contains(f.mistaken("writeFile", args{"path": "c.yaml", "content": c.now}), "editFile") {
			t.Errorf("what nobody read: %v", err)
		}
		f.must("readFile", args{"path": "c.yaml"})
		p, err := f.propose("writeFile", args{"path": "c.yaml", "content": c.now})
		m := (*nebula.Mistake)(nil)
		switch {
		case c.back && (!errors.As(err, &m) || m.Again == ""):
			t.Errorf("%q is written: %v", c.now, err)
		case !c.back && (err != nil || p.Targets[0].After != nebula.Hash([]byte(c.now)) || p.Targets[0].Kind != "edit" || len(p.Risks) > 0):
			t.Errorf("%q: %v %v", c.now, err, p.Risks)
		}
	}
}

// A line or two, or words about a change, in place of a file of a kind of which nobody knows what it looks like, are sent back. Given again, what
// could be the file is taken where nobody is there who could be asked; words never are.
func TestLittleInPlaceOfAFileIsSentBack(t *testing.T) {
	files := map[string]string{
		"notes.txt": "a list\n\nrope\npaint, white\nbolts\nnails\n",
		"plan.dock": "berth 12 north\nberth 13 south\nberth 14 south\ncrane 2\n",
		"GUIDE.md":  "# Mooring\n\nHow to tie up.\n\n## Before\n\nCheck the lines.\n\n## After\n\nRinse.\n",
		"app.ini":   "[server]\nhost = a\nport=80\nuser = b\n",
		"ships.csv": "id,name,tons\n1,Anna,20\n2,Piet,30\n3,Kees,40\n",
		"ci.yml":    "name: ci\non: push\njobs:\n  all:\n    runs-on: ubuntu\n",
	}
	for _, c := range []struct{ path, now, risk string }{
		{"notes.txt", "Changed white to blue.", nebula.Marked},
		{"notes.txt", "Please change the paint from white to blue.", nebula.Marked},
		{"notes.txt", "The paint should be blue instead of white.", nebula.Marked},
		{"notes.txt", "(add at the end) tape, 3 rolls", nebula.Marked},
		{"notes.txt", "paint, ~~white~~ blue", nebula.Marked},
		{"notes.txt", "+ tape, 3 rolls", nebula.Marked},
		{"notes.txt", "find: white\nreplace: blue", nebula.Marked},
		{"notes.txt", "塗料を青に変更しました。", nebula.Marked},
		{"notes.txt", "tape, 3 rolls", nebula.Reduced},
		{"notes.txt", "rope\npaint\nbolts\n", nebula.Reduced},
		{"plan.dock", "make berth 13 north", nebula.Marked},
		{"plan.dock", "# berth 13 goes north", nebula.Marked},
		{"plan.dock", "berth 13 (was south) north", nebula.Marked},
		{"plan.dock", "pier 1\npier 2\n", nebula.Reduced},
		{"plan.dock", "berth 12 north\nberth 13 north\nberth 14 south\n", ""},
		{"GUIDE.md", "| Before | After |\n|---|---|\n| Check the lines. | Check them twice. |", nebula.Marked},
		{"GUIDE.md", "## Night\n\nUse lights.\n", nebula.Reduced},
		{"GUIDE.md", "# Mooring\n\nGo slowly and tie up.\n", nebula.Reduced},
		{"GUIDE.md", "# Anchoring\n\nDrop the anchor and wait.\n\n## Depth\n\nFive times.\n", ""},
		{"ships.csv", "Piet: 35", nebula.Reduced},
		{"ci.yml", "on:\n  old: pull\n  new: [push, pull_request]\n", nebula.Marked},
		{"ci.yml", "- path: on\n  value: [push, pull_request]\n", nebula.Marked},
	} {
		f := newFolder(t, tool.Options{}, files)
		f.must("readFile", args{"path": c.path})
		p, err := f.propose("editFile", args{"path": c.path, "new_content": c.now})
		if c.risk == "" {
			if err != nil || len(p.Risks) > 0 {
				t.Errorf("%s: %q: %v %v", c.path, c.now, err, p.Risks)
			}
			continue
		}
		m := (*nebula.Mistake)(nil)
		if !errors.As(err, &m) || m.Again == "" {
			t.Errorf("%s: %q is written: %v", c.path, c.now, err)
			continue
		}
		again := f.view()
		again.SentBack = func(hash string) bool { return hash == m.Again }
		raw, _ := json.Marshal(args{"path": c.path, "new_content": c.now}) // strings always marshal
		for _, why := range []string{"", "update the file", "the rest is removed on purpose"} {
			p, err = f.tool("editFile").Propose(t.Context(), nebula.Action{Args: raw, Reason: why}, again)
			risks := strings.Join(p.Risks, " ")
			told := strings.HasPrefix(why, "the rest") && c.risk == nebula.Reduced && risks == "" // nothing is lost without a word
			if err != nil || !told && risks != c.risk {
				t.Errorf("%s: %q given again, %s: %v %v", c.path, c.now, why, err, p.Risks)
			}
			for _, r := range []gate.Rules{{Mode: nebula.AgentMode, Approve: gate.All}, {Mode: nebula.AgentMode, Approve: gate.All, Alone: true}} {
				if v := gate.Judge(r, p); (v.Ruling == nebula.Allow) != (told || c.risk == nebula.Reduced && r.Alone) {
					t.Errorf("%s: %q given again, %s, alone %v: %v %v", c.path, c.now, why, r.Alone, v.Ruling, v.Why)
				}
			}
		}
	}
}
