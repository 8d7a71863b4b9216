package confine

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What the box keeps a command from is seen, whatever the command says of it, and what fails for another reason is not.
func TestRefusalsAreSeen(t *testing.T) {
	able(t)
	out := t.TempDir()
	for _, name := range []string{"file", "closed"} {
		if err := os.WriteFile(filepath.Join(out, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(out, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	write := func(name string) []Refusal { return []Refusal{{Write, filepath.Join(out, name)}} }
	for _, tt := range []struct {
		line string
		want []Refusal
	}{
		{`echo x 2>/dev/null > $OUT/new`, write("new")},
		{`(echo x > $OUT/file) 2>/dev/null; true`, write("file")},
		{`cd $OUT; mkdir made 2>/dev/null; cat file`, write("made")},
		{`mv a $OUT/moved 2>/dev/null`, write("moved")},
		{`$PY -c 'import os; os.open("file", os.O_RDWR, dir_fd=os.open(os.environ["OUT"], os.O_RDONLY))' 2>/dev/null`, write("file")},
		{`echo x 2>/dev/null >> kept/file`, []Refusal{{Write, "FOLDER/kept/file"}}},
		{`(exec 3<>/dev/tcp/192.0.2.1/443) 2>/dev/null; true`, []Refusal{{Connect, "192.0.2.1:443"}}},
		{`$PY -c 'import socket; socket.create_connection(("packages.example.org", 443), 5)' 2>/dev/null`, []Refusal{{Connect, "packages.example.org"}}},
		{`$PY -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("'$OUT'/sock")' 2>/dev/null`, []Refusal{{Socket, filepath.Join(out, "sock")}}},
		{`echo "Read-only file system: /etc/passwd"; cat $OUT/nothing; ls /nowhere; cat < $OUT/nothing; echo x > /nowhere/x; exit 1`, nil},
		{`echo x > made; mkdir d; rm made; test -w $OUT/file; (exec 3<>/dev/tcp/127.0.0.1/9); true`, nil},
	} {
		b := box(t)
		for _, name := range []string{"kept/file", "a"} {
			path := filepath.Join(b.Folder, name)
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b.ReadOnly = []string{filepath.Join(b.Folder, "kept")}
		b.Private = nil // where the test's own folder is
		c := sh(b.Folder, tt.line)
		c.Env = append(c.Env, "OUT="+out, "PY="+python(t))
		said, end := ended(t, order{Box: b, Command: c})
		for i := range tt.want {
			if tt.want[i].What == "FOLDER/kept/file" {
				tt.want[i].What = filepath.Join(b.Folder, "kept/file")
			}
		}
		if !slices.Equal(end.Refused, tt.want) {
			t.Errorf("%s: %v\n%s", tt.line, end.Refused, said)
		}
	}
}
