package confine

import (
	"bufio"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A host that was allowed is reached as if the box were not there, by its name and by its address; no other is, nor another
// port of it.
func TestOnlyAllowedHostsAreReached(t *testing.T) {
	able(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				line, _ := bufio.NewReader(c).ReadString('\n')
				_, _ = c.Write([]byte(strings.ToUpper(line)))
				_ = c.Close()
			}()
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	const ask = `import socket, sys
for a in sys.argv[1:]:
    try:
        s = socket.create_connection(a.rsplit(":", 1), 5); s.sendall(b"hello\n"); s.shutdown(1); print(a.split(":")[0], s.makefile().read().strip())
    except OSError as e: print(a.split(":")[0], "no")`
	for _, tt := range []struct {
		hosts   []string
		ask     []string
		want    string
		refused []Refusal
	}{
		{[]string{"localhost:" + port}, []string{"localhost:" + port, "127.0.0.1:" + port, "127.0.0.1:9"}, "localhost HELLO\n127.0.0.1 HELLO\n127.0.0.1 no\n", nil},
		{nil, []string{"127.0.0.1:" + port, "other.example:443"}, "127.0.0.1 no\nother.example no\n", []Refusal{{Connect, "other.example"}}},
		{[]string{"a.example:80", "b.example:443", "a.example:443"}, []string{"a.example:443", "a.example:81", "c.example:80"}, "a.example no\na.example no\nc.example no\n", []Refusal{{Connect, "c.example"}}}, // there is none, outside
		{[]string{"192.0.2.7:8"}, []string{"192.0.2.8:8"}, "192.0.2.8 no\n", []Refusal{{Connect, "192.0.2.8:8"}}},
	} {
		b := box(t)
		b.Hosts = tt.hosts
		out, end := ended(t, order{Box: b, Command: Command{Path: python(t), Args: append([]string{"python3", "-c", ask}, tt.ask...), Dir: b.Folder}})
		if out != tt.want || !slices.Equal(end.Refused, tt.refused) {
			t.Errorf("%s: %s%v", tt.hosts, out, end.Refused)
		}
	}
}

// A name leads nowhere on this machine, whatever its owner says.
func TestANameLeadsAway(t *testing.T) {
	for address, good := range map[string]bool{"127.0.0.1:80": false, "[::1]:80": false, "169.254.169.254:80": false, "100.100.100.200:80": false, "[::ffff:168.63.129.16]:80": false, "[fd00:ec2::254]:80": false, "[::ffff:127.0.0.1]:80": false, "0.0.0.0:80": false, "192.0.2.1:443": true, "10.0.0.1:443": true} {
		if err := away("a.example")("tcp", address, nil); (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
	if away("localhost") != nil || away("127.0.0.1") != nil {
		t.Error("what was allowed by its address")
	}
}

// What the person gives by name can be changed, or read, and nothing beside it.
func TestGivenPathsOnly(t *testing.T) {
	able(t)
	home := t.TempDir()
	for _, name := range []string{".aws/config", ".aws/credentials", "out/a", "other/a", ".netrc"} {
		path := filepath.Join(home, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, ok := For(Place{Folder: t.TempDir(), Home: home, Environ: os.Getenv, Write: []string{home + "/out", home}, Read: []string{home + "/.aws/config"}})
	if !ok {
		t.Fatal("no box")
	}
	b.Private = nil // where the test's own folders are
	out, _ := ended(t, order{Box: b, Command: sh(b.Folder, "cd "+home+"; cat .aws/config; cat .aws/credentials .netrc 2>/dev/null; echo x > out/new && echo made; echo y 2>/dev/null > other/new || echo not; rm -f .aws/config 2>/dev/null || echo kept")})
	if out != ".aws/config\nmade\nnot\nkept\n" {
		t.Error(out)
	}
}
