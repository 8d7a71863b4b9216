package state_test

import (
	"strings"
	"testing"

	"nebula"
)

// The plainest ways to say that a file is not to change, or not to be read, hold it, and what only sounds like them holds nothing.
func TestWhatIsForbiddenInPlainWords(t *testing.T) {
	for _, c := range []struct{ said, held, free string }{
		{"Do not edit, move, or delete keep.txt.", "keep.txt", "a.txt"},
		{"Tidy up, but don't change, rename or remove keep.txt", "keep.txt", "a.txt"},
		{"Fix it without editing, moving, or deleting keep.txt.", "keep.txt", "a.txt"},
		{"keep.txt has to stay byte for byte as it is.", "keep.txt", "a.txt"},
		{"keep.txt must remain byte-for-byte the same", "keep.txt", "a.txt"},
		{"Preserve keep.txt as is.", "keep.txt", "a.txt"},
		{"Preserve keep.txt exactly as it is; tidy the rest", "keep.txt", "a.txt"},
		{"keep.txt以外を整理して", "keep.txt", "a.txt"},
		{"keep.txt — だめ", "keep.txt", "a.txt"},
		{"整理して。keep.txt：ダメです。", "keep.txt", "a.txt"},
		{"keep.txtの変更は不要です", "keep.txt", "a.txt"},
		{"The go files are off limits.", "a.go sub/b.go", "a.txt"},
		{"Don't touch the go files", "a.go", "a.txt"},
		{"Leave code alone, docs only.", "a.go a.py", "README.md docs/a.md"},
		{"Only the docs, please; no code.", "a.go a.py", "README.md docs/a.md"},
		{"Don't read or change hidden files.", ".hid web/.env .hid/x.txt", "a.txt"},
		{"Tidy up; don't touch hidden files", ".hid/x.txt web/.hid/a/x.txt", "hid/x.txt"},
		{"隠しファイルは触らないで", ".hid .hid/x.txt", "a.txt"},
		{"ドットファイルには触れないで", ".hid", "a.txt"},
		{"Don't touch hidden files.|You may change hidden files now.", "", ".hid"},
		{"Edit, move, or delete keep.txt as you like.", "", "keep.txt"},
		{"Don't forget to edit, move, or delete keep.txt.", "", "keep.txt"},
		{"Does keep.txt have to stay byte for byte as it is?", "", "keep.txt"},
		{"Compare keep.txt byte for byte with b.txt.", "", "keep.txt"},
		{"Preserve comments in keep.txt.", "", "keep.txt"},
		{"keep.txtを整理して", "", "keep.txt"},
		{"keep.txtがだめなので直して", "", "keep.txt"},
		{"keep.txtの変更は不要ですか？", "", "keep.txt"},
		{"再起動が不要になるようにkeep.txtを変更して", "", "keep.txt"},
		{"Let it go; files are written to keep.txt.", "", "keep.txt a.go"},
		{"Fix the code, the docs too.", "", "a.go README.md"},
		{"Only the docs say so; fix a.go.", "", "a.go"},
		{"隠しファイルを整理して", "", ".hid"},
		{"変更するのは calc.py だけ。", "a.txt", "calc.py"},
		{"触っていいのは calc.py だけです。", "a.txt", "calc.py"},
		{"keep.txt をそのままにしないで、x を 2 にして。", "", "keep.txt"},
		{"変更するのは calc.py だけですか？", "", "a.txt"},
		{"変更したのは calc.py だけです。", "", "a.txt calc.py"},
		{"Except for keep.txt everything is fine.", "", "keep.txt a.txt"},
		{"Read the hidden files and change main.go.", "", ".hid main.go"},
	} {
		s := after(strings.Split(c.said+"|Go on.", "|")...)
		for _, path := range strings.Fields(c.held) {
			if s.Barred(nebula.Target{Path: path, Kind: "edit"}) == "" {
				t.Errorf("%s: %s is free", c.said, path)
			}
		}
		for _, path := range strings.Fields(c.free) {
			if said := s.Barred(nebula.Target{Path: path, Kind: "edit"}); said != "" {
				t.Errorf("%s: %s is held by %q", c.said, path, said)
			}
		}
	}
}

// What is not to be read is held however it is said, until a later message lets it be read.
func TestWhatIsNotToBeRead(t *testing.T) {
	for _, c := range []struct{ said, held, free string }{
		{"secrets.txt is not to be read.", "secrets.txt", "a.txt"},
		{"secrets.txt must not be opened or printed", "secrets.txt", "a.txt"},
		{"secrets.txt -- don't read", "secrets.txt", "a.txt"},
		{"secrets.txt: never read it.", "secrets.txt", "a.txt"},
		{"Stay out of private/.", "private/a", "a.txt"},
		{"Tidy up, but keep out of private/.", "private/a", "a.txt"},
		{"Do not print secrets.txt", "secrets.txt", "a.txt"},
		{"Summarise the folder without reading secrets.txt.", "secrets.txt", "a.txt"},
		{"I don't want you to see secrets.txt", "secrets.txt", "a.txt"},
		{"Read nothing but notes.md.", "secrets.txt a.txt", "notes.md"},
		{"secrets.txtは開くな", "secrets.txt", "a.txt"},
		{"secrets.txtは読んではいけない", "secrets.txt", "a.txt"},
		{"secrets.txtは閲覧禁止", "secrets.txt", "a.txt"},
		{"Don't read hidden files.", ".hid web/.env .hid/x.txt", "a.txt"},
		{"Don't read the dotfiles", ".hid", "a.txt"},
		{"隠しファイルは読まないで", ".hid", "a.txt"},
		{"Don't read or change hidden files.", ".hid", "a.txt"},
		{"Don't read, edit, or delete secrets.txt.", "secrets.txt", "a.txt"},
		{"Don't read hidden files.|You may read the hidden files.", "", ".hid"},
		{"Read nothing but notes.md.|Read a.txt too.", "b.txt", "a.txt notes.md"},
		{"Is secrets.txt not to be read?", "", "secrets.txt"},
		{"The parser is not to be read from secrets.txt.", "", "secrets.txt"},
		{"Fix the bug where secrets.txt is not read.", "", "secrets.txt"},
		{"secrets.txt -- read it", "", "secrets.txt"},
		{"The script does not print secrets.txt.", "", "secrets.txt"},
		{"Make it work without reading secrets.txt at startup.", "", "secrets.txt"},
		{"I want you to see secrets.txt", "", "secrets.txt"},
		{"It reads nothing but notes.md; fix that.", "", "secrets.txt"},
		{"secrets.txtを開くようにして", "", "secrets.txt"},
		{"secrets.txtを読んで", "", "secrets.txt"},
		{"secrets.txtの閲覧禁止を解除する機能を追加して", "", "secrets.txt"},
		{"隠しファイルを読んで", "", ".hid"},
	} {
		s := after(strings.Split(c.said+"|Go on.", "|")...)
		for _, path := range strings.Fields(c.held) {
			if s.Unread(nebula.Target{Path: path}) == "" {
				t.Errorf("%s: %s may be read: %+v", c.said, path, s.Bars())
			}
		}
		for _, path := range strings.Fields(c.free) {
			if said := s.Unread(nebula.Target{Path: path}); said != "" {
				t.Errorf("%s: %s is held by %q", c.said, path, said)
			}
		}
	}
}

// What is not to be run or deployed is heard behind another sentence, and held by a pattern that comes to it.
func TestWhatIsNotToBeRunIsHeardBehindAnother(t *testing.T) {
	for _, c := range []struct {
		said, act, by string
		want          bool
	}{
		{"準備して。まだマイグレーションは流さないで", "migrate", "x", true},
		{"準備して。migrate.shは実行しないで", "run", "migrate.sh", true},
		{"準備して。migrate.shは実行しないで", "run", "m*.sh", true},
		{"準備して。migrate.shは実行しないで", "run", "test.sh", false},
		{"準備して。migrate.shは実行しないで", "run", "[ -e x ]", false},
		{"Get ready. No deploys", "deploy", "x", true},
		{"Get ready. Why are there no deploys?", "deploy", "x", false},
		{"migrate.shを実行しないバグを直して", "run", "migrate.sh", false},
		{"migrate.shを実行して", "run", "migrate.sh", false},
	} {
		if got := after(c.said).ForbiddenAct(c.act, c.by) != ""; got != c.want {
			t.Errorf("%s: %s %s: %v", c.said, c.act, c.by, got)
		}
	}
}
