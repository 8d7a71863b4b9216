package nebulatest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A Postgres is a real PostgreSQL server of a test's own, at a socket in a folder of its own. It goes with the process.
type Postgres struct {
	dir  string
	bin  string
	stop io.Closer // what the server's keeper reads: it ends with it
	done *exec.Cmd
}

// password is that of every login of such a server.
const password = "pw-5x7&/@?"

// NewPostgres starts a server. Where PostgreSQL is not installed the test skips itself, or fails with CI=true. Safe says whether
// it writes through to the disk, which tests of speed need.
func NewPostgres(t testing.TB, safe bool) *Postgres {
	t.Helper()
	bin, err := postgresBin()
	if err != nil {
		Missing(t, err)
	}
	dir, err := os.MkdirTemp("/tmp", "nebula-pg-")
	if err != nil {
		t.Fatal(err)
	}
	p := &Postgres{dir: dir, bin: bin}
	t.Cleanup(func() { p.Close(); _ = os.RemoveAll(dir) })
	secret := filepath.Join(dir, "pw")
	err = errors.Join(os.WriteFile(secret, []byte(password), 0o644), os.Chmod(dir, 0o777))
	if err == nil {
		_, err = p.run("initdb", "-D", p.data(), "-U", "owner", "-A", "scram-sha-256", "--pwfile", secret, "--no-sync", "-E", "UTF8", "--locale=C")
	}
	if err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("\nunix_socket_directories='%s'\nlisten_addresses=''\nmax_connections=200\nshared_buffers=64MB\n", dir)
	if !safe {
		settings += "fsync=off\nsynchronous_commit=off\nfull_page_writes=off\n"
	}
	f, err := os.OpenFile(filepath.Join(p.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(settings)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Start(t)
	return p
}

func postgresBin() (string, error) {
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin/initdb", "/usr/local/pgsql/bin/initdb"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 { // the patterns are sound
			return filepath.Dir(found[len(found)-1]), nil
		}
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", errors.New("PostgreSQL is not installed: what needs a server is not tried")
}

func (p *Postgres) data() string { return filepath.Join(p.dir, "data") }

// run runs one of the server's programs to its end.
func (p *Postgres) run(name string, args ...string) (string, error) {
	cmd := p.command(filepath.Join(p.bin, name), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", name, err, out.String())
	}
	return out.String(), err
}

// command is one that does not run as root, which these programs refuse.
func (p *Postgres) command(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password, "HOME="+p.dir)
	humble(cmd)
	return cmd
}

// keep runs a server for as long as what is given back is open, and this process lives.
func (p *Postgres) keep(t testing.TB, path string, args ...string) (io.Closer, *exec.Cmd) {
	t.Helper()
	cmd := p.command("/bin/sh", append([]string{"-c", `"$@" & pid=$!; cat >/dev/null; kill -INT $pid; wait $pid`, "sh", path}, args...)...)
	log, err := os.Create(filepath.Join(p.dir, filepath.Base(path)+".log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return in, cmd
}

// Start starts a server that was stopped.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; {
		p.stop, p.done = p.keep(t, filepath.Join(p.bin, "postgres"), "-D", p.data())
		if p.wait(t, p.dir, "5432", p.waits) {
			return
		}
		if p.Close(); time.Now().After(end) {
			t.Fatal("what the server before it left does not end")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// waits says that a server did not start, since children of the one before it have not ended yet.
func (p *Postgres) waits() bool {
	log, err := os.ReadFile(filepath.Join(p.dir, "postgres.log"))
	return err == nil && bytes.Contains(log, []byte("FATAL")) && bytes.Contains(log, []byte("still in use"))
}

// wait waits until a server answers at a socket, or has given up.
func (p *Postgres) wait(t testing.TB, dir, port string, givenUp func() bool) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for {
		out, err := p.run("psql", "-X", "-h", dir, "-p", port, "-U", "owner", "-d", "postgres", "-c", "SELECT 1")
		if err == nil {
			return true
		}
		if givenUp() {
			return false
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the server does not answer: %s", out)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Kill ends the server as a power cut would, with everything that it was doing.
func (p *Postgres) Kill(t testing.TB) {
	t.Helper()
	pid, err := os.ReadFile(filepath.Join(p.data(), "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(pid), "\n")
	if err := exec.Command("kill", "-9", first).Run(); err != nil {
		t.Fatal(err)
	}
	p.Close()
	// Its children see that it is gone and end by themselves; another is not started before that.
	_ = os.Remove(filepath.Join(p.data(), "postmaster.pid"))
}

// Close stops the server.
func (p *Postgres) Close() {
	if p.stop != nil {
		_ = p.stop.Close()
		_ = p.done.Wait() // it was interrupted
		p.stop = nil
	}
}

// SQL runs statements as the owner of everything.
func (p *Postgres) SQL(t testing.TB, database, sql string) string {
	t.Helper()
	out, err := p.run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", p.dir, "-U", "owner", "-d", database, "-c", sql)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// As runs statements as a login and gives what came of it, the refusal too.
func (p *Postgres) As(login, database, sql string) string {
	out, _ := p.run("psql", "-X", "-q", "-A", "-t", "-h", p.dir, "-U", login, "-d", database, "-c", sql)
	return strings.TrimSpace(out)
}

// Login makes logins that own nothing.
func (p *Postgres) Login(t testing.TB, names ...string) {
	t.Helper()
	sql := ""
	for _, name := range names {
		sql += fmt.Sprintf(`CREATE ROLE %q LOGIN PASSWORD '%s';`, name, password)
	}
	p.SQL(t, "postgres", sql)
}

// Database makes an empty database where it is not there, and gives its address for a login.
func (p *Postgres) Database(t testing.TB, name, login string) string {
	t.Helper()
	if said := p.As("owner", "postgres", fmt.Sprintf(`CREATE DATABASE %q TEMPLATE template0`, name)); said != "" && !strings.Contains(said, "already exists") {
		t.Fatal(said)
	}
	return p.Address(name, login)
}

// Address is how a database is named in record.url.
func (p *Postgres) Address(name, login string) string { return address(p.dir, "", name, login) }

func address(dir, port, name, login string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(login, password), Path: "/" + name, RawQuery: "host=" + url.QueryEscape(dir)}
	if port != "" {
		u.RawQuery += "&port=" + port
	}
	return u.String()
}

// Password is that of every login.
func (*Postgres) Password() string { return password }

// Bench runs pgbench with a script, on a database, and gives what it printed.
func (p *Postgres) Bench(t testing.TB, database, script string, args ...string) string {
	t.Helper()
	file := filepath.Join(p.dir, "bench.sql")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := p.run("pgbench", append([]string{"-n", "-h", p.dir, "-U", "owner", "-f", file}, append(args, database)...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Pool starts a PgBouncer before the server that gives a connection out for a transaction at a time, and so many of them. It
// gives addresses of what lies behind it.
func (p *Postgres) Pool(t testing.TB, size int, logins ...string) func(name, login string) string {
	t.Helper()
	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		path = "/usr/sbin/pgbouncer"
		_, err = os.Stat(path)
	}
	if err != nil {
		Missing(t, "PgBouncer is not installed: what needs it is not tried")
	}
	users := ""
	for _, login := range append(logins, "owner") {
		users += fmt.Sprintf("%q %q\n", login, password)
	}
	settings := fmt.Sprintf("[databases]\n* = host=%s\n[pgbouncer]\nunix_socket_dir=%s\nlisten_addr=\nlisten_port=6432\nauth_type=scram-sha-256\nauth_file=%s\npool_mode=transaction\ndefault_pool_size=%d\nmax_client_conn=500\nignore_startup_parameters=extra_float_digits\n",
		p.dir, p.dir, filepath.Join(p.dir, "users"), size)
	err = errors.Join(os.WriteFile(filepath.Join(p.dir, "users"), []byte(users), 0o644), os.WriteFile(filepath.Join(p.dir, "pool.ini"), []byte(settings), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	stop, done := p.keep(t, path, filepath.Join(p.dir, "pool.ini"))
	t.Cleanup(func() { _ = stop.Close(); _ = done.Wait() })
	p.wait(t, p.dir, "6432", func() bool { return false })
	return func(name, login string) string { return address(p.dir, "6432", name, login) }
}
