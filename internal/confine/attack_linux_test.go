package confine

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An attack is a line for the shell that prints LIVE where it can do what it tries.
type attack struct {
	name string
	line string
	root bool                // only root can do it outside
	live func(a *arena) bool // whether it was done, where the line cannot tell
	undo func(a *arena)      // what it did outside, before it is tried inside
}

// attacks are what a command must not be able to do. $OUT is a folder outside, $VICTIM another process.
var attacks = []attack{
	{name: "write outside", line: `echo x > $OUT/new && echo LIVE`},
	{name: "append outside", line: `echo x >> $OUT/file && echo LIVE`},
	{name: "delete outside", line: `rm $OUT/gone && echo LIVE`, undo: func(a *arena) { a.put("gone", "x") }},
	{name: "rename outside", line: `mv $OUT/gone $OUT/gone2 && mv $OUT/gone2 $OUT/gone && echo LIVE`},
	{name: "chmod outside", line: `chmod 600 $OUT/file && echo LIVE`},
	{name: "times outside", line: `touch -d 2001-01-01 $OUT/file && echo LIVE`},
	{name: "extended attribute outside", line: `$PY -c 'import os;os.setxattr(os.environ["OUT"]+"/file","user.x",b"1")' && echo LIVE`},
	{name: "hard link", line: `rm -f l; ln $OUT/file l && echo x >> l && echo LIVE`},
	{name: "symbolic link", line: `ln -sfn $OUT s; echo x > s/through && echo LIVE`},
	{name: "move out of the folder", line: `echo x > m; mv m $OUT/moved && echo LIVE`},
	{name: "read a key", line: `cat $HOME/.ssh/id_rsa | grep -q sesame && echo LIVE`},
	{name: "read a key through a link", line: `ln -sfn $HOME/.ssh k; cat k/id_rsa | grep -q sesame && echo LIVE`},
	{name: "read a password", line: `grep -q sesame $HOME/.netrc && echo LIVE`},
	{name: "read nebula's record", line: `grep -q sesame $OUT/own/nebula.db && echo LIVE`},
	{name: "read through another process", line: `grep -q sesame /proc/$VICTIM/root$HOME/.ssh/id_rsa && echo LIVE`},
	{name: "read another's environment", line: `tr '\0' '\n' < /proc/$VICTIM/environ | grep -q PATH && echo LIVE`},
	{name: "signal another", line: `kill -0 $VICTIM && echo LIVE`},
	{name: "trace another", line: `$PY -c '
import ctypes,os
l=ctypes.CDLL(None); v=int(os.environ["VICTIM"])
if l.ptrace(16,v,0,0)==0: os.waitpid(v,0x40000000); l.ptrace(17,v,0,0); print("LIVE")'`},
	{name: "abstract socket", line: `$PY -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect("\0"+os.environ["ABSTRACT"]); print("LIVE")'`},
	{name: "socket by its path", line: `$PY -c 'import socket,os; s=socket.socket(socket.AF_UNIX); s.connect(os.environ["OUT"]+"/sock"); print("LIVE")'`},
	{name: "TCP", line: `exec 3<>/dev/tcp/127.0.0.1/$TCP && echo LIVE`},
	{name: "UDP", line: `echo x > /dev/udp/127.0.0.1/$UDP; sleep 0.1`, live: func(a *arena) bool {
		_ = a.udp.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		_, _, err := a.udp.ReadFrom(make([]byte, 8))
		return err == nil
	}},
	{name: "socket to the machine's host", line: `$PY -c 'import socket; socket.socket(40,socket.SOCK_STREAM); print("LIVE")'`},
	{name: "io_uring", line: syscallLine(unix.SYS_IO_URING_SETUP, `4, ctypes.create_string_buffer(512)`)},
	{name: "bpf or keys", line: syscallLine(unix.SYS_KEYCTL, `0, -3, 1`)},
	{name: "new namespaces", line: `unshare -Ur true && echo LIVE`},
	{name: "mount", line: `unshare -m sh -c 'mount -t tmpfs none /mnt' && echo LIVE`, root: true},
	{name: "core dump", line: `(ulimit -c 1; $PY -c 'import os; os.abort()'); [ "$(ulimit -H -c)" != 0 ] && echo LIVE`},
	{name: "memory of another", line: `$PY -c 'import os; open("/proc/%s/mem" % os.environ["VICTIM"], "rb"); print("LIVE")'`},
	{name: "files of another", line: `ls /proc/$VICTIM/fd/ && echo LIVE`},
	{name: "set-user-ID", line: `cp /bin/true u; chmod u+s u; [ -u u ] && echo LIVE; rm u`},
	{name: "set-user-ID when made", line: `rm -f u2; $PY -c 'import os; os.umask(0); os.open("u2", os.O_CREAT|os.O_WRONLY, 0o4755)'; [ -u u2 ] && echo LIVE; rm -f u2`},
	{name: "hook", line: `echo evil > .git/hooks/pre-commit && echo LIVE`},
	{name: "settings of the repository", line: `echo '[core] fsmonitor = evil' >> .git/config && echo LIVE`},
	{name: "settings of the repository put in their place", line: `cp .git/config c && mv c .git/config && echo LIVE; rm -f c`},
	{name: "an editor's task", line: `echo '{"evil": 1}' > .vscode/tasks.json && echo LIVE`},
	{name: "moved repository", line: `mv .git g && mkdir -p .git/hooks && echo LIVE; rm -rf .git; mv g .git`},
	{name: "moved part of the repository", line: `mv .git/info .git/i && mkdir .git/info && echo LIVE; rmdir .git/info; mv .git/i .git/info`},
	{name: "instructions", line: `echo evil >> AGENTS.md && echo LIVE`},
	{name: "instructions put in their place", line: `echo evil > a; mv a AGENTS.md && echo LIVE; rm -f a`},
	{name: "editor settings", line: `mv .vscode v && mkdir .vscode && echo LIVE; rmdir .vscode; mv v .vscode`},
	{name: "inherited file", line: `head -c 6 <&$INHERITED | grep -q . && echo LIVE`},
	{name: "type into a terminal", line: `$PY -c '
import os,pty,fcntl,termios
p=os.fork()
if p==0:
  os.setsid(); m,s=pty.openpty(); fcntl.ioctl(s,termios.TIOCSCTTY,0); fcntl.ioctl(s,termios.TIOCSTI,b"x"); print("LIVE",flush=True); os._exit(0)
os.waitpid(p,0)'`},
	{name: "left behind", line: `(setsid bash -c 'sleep 0.4; echo x > late' </dev/null >/dev/null 2>&1 &)`, live: func(a *arena) bool {
		time.Sleep(900 * time.Millisecond)
		return os.Remove(filepath.Join(a.box.Folder, "late")) == nil
	}},
	{name: "shared memory", line: `$PY -c 'import ctypes,os
l=ctypes.CDLL(None)
if l.shmget(int(os.environ["SHM"]),0,0)>=0: print("LIVE")'`},
	{name: "names of the machine", line: `[ $(readlink /proc/self/ns/uts) = $UTS ] && echo LIVE`},
	{name: "poisoned cache", line: `echo evil > $HOME/.cache/tool && cat $HOME/.cache/tool`, live: func(a *arena) bool {
		data, _ := os.ReadFile(filepath.Join(a.home, ".cache", "tool"))
		return string(data) == "evil\n"
	}, undo: func(a *arena) { a.put("home/.cache/tool", "good\n") }},
	{name: "capabilities", line: `grep -q 'CapEff:.*0000000000000000' /proc/self/status || echo LIVE`, root: true},
	{name: "device", line: `mknod d b 253 77 && echo LIVE; rm -f d`, root: true},
	{name: "devices", line: `for d in /dev/[svx]d[a-z] /dev/nvme0n1 /dev/loop0 /dev/kmsg /dev/fuse; do (exec 3<$d) && echo LIVE; done`, root: true},
	{name: "kernel setting", line: `v=$(cat /proc/sys/kernel/printk_ratelimit); echo $v > /proc/sys/kernel/printk_ratelimit && echo LIVE`, root: true},
	{name: "other users' files", line: `ls $OUT/private && echo LIVE`, root: true},
}

func syscallLine(number int, args string) string {
	return fmt.Sprintf(`$PY -c 'import ctypes
if ctypes.CDLL(None).syscall(%d, %s)>=0: print("LIVE")'`, number, args)
}

// An arena is where attacks happen.
type arena struct {
	t         *testing.T
	out, home string
	box       Box
	udp       net.PacketConn
	env       []string
}

func (a *arena) put(name, text string) {
	a.t.Helper()
	path := filepath.Join(a.out, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

func newArena(t *testing.T) *arena {
	t.Helper()
	able(t)
	a := &arena{t: t, out: outsideOf(t)}
	a.home = filepath.Join(a.out, "home")
	for name, text := range map[string]string{
		"file": "x", "gone": "x", "home/.ssh/id_rsa": "sesame", "home/.netrc": "sesame", "home/.cache/tool": "good\n", "own/nebula.db": "sesame",
		"home/work/AGENTS.md": "mine", "home/work/.git/hooks/x": "", "home/work/.git/config": "", "home/work/.git/info/attributes": "", "home/work/.vscode/tasks.json": "{}", "private/x": "",
	} {
		a.put(name, text)
	}
	if os.Geteuid() == 0 {
		private := filepath.Join(a.out, "private")
		if err := os.Chown(private, 4242, 4242); err != nil {
			t.Fatal(err)
		}
		_ = os.Chmod(private, 0o700)
	}
	var ok bool
	a.box, ok = For(Place{Folder: a.home + "/work", Home: a.home, Environ: func(string) string { return "" }, Own: []string{a.out + "/own"}, Kept: a.out + "/own/layers", Repository: true,
		Pins: []string{a.home + "/work/AGENTS.md", a.home + "/work/.vscode"}})
	if !ok || len(a.box.Layers) != 1 {
		t.Fatalf("no box: %+v", a.box)
	}
	a.surround()
	return a
}

// surround puts up what is attacked.
func (a *arena) surround() {
	t := a.t
	victim := exec.CommandContext(context.Background(), "sleep", "1000")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = victim.Process.Kill(); _ = victim.Wait() })
	must := func(l io.Closer, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
	}
	abstract := "nebula-attack-" + strconv.Itoa(os.Getpid())
	l, err := net.Listen("unix", "@"+abstract)
	must(l, err)
	l, err = net.Listen("unix", a.out+"/sock")
	must(l, err)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	must(tcp, err)
	a.udp, err = net.ListenPacket("udp", "127.0.0.1:0")
	must(a.udp, err)
	shm := 0x4e000000 + os.Getpid()
	id, err := unix.SysvShmGet(shm, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) })
	inherited, err := syscall.Open(a.out+"/own/nebula.db", syscall.O_RDONLY, 0) // stays open in what is started
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(inherited) })
	uts, _ := os.Readlink("/proc/self/ns/uts")
	port := func(a net.Addr) string { return a.String()[strings.LastIndexByte(a.String(), ':')+1:] }
	a.env = append(os.Environ(), "OUT="+a.out, "HOME="+a.home, "VICTIM="+strconv.Itoa(victim.Process.Pid), "ABSTRACT="+abstract, "TCP="+port(tcp.Addr()),
		"UDP="+port(a.udp.LocalAddr()), "SHM="+strconv.Itoa(shm), "UTS="+uts, "INHERITED="+strconv.Itoa(inherited), "PY="+python(t))
}

// outsideOf is a folder that is not in the place of a private one.
func outsideOf(t *testing.T) string {
	here, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	var dir string
	var err error
	for _, base := range []string{os.Getenv("NEBULA_ATTACK_DIR"), "/var/lib", here, home} {
		if base == "" || within(base, temporary...) {
			continue
		}
		if dir, err = os.MkdirTemp(base, "outside-"); err == nil {
			break
		}
	}
	if dir == "" {
		t.Fatalf("no folder outside of the temporary ones can be written: %v", err)
	}
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+rwx", dir).Run(); _ = os.RemoveAll(dir) })
	return dir
}

func python(t *testing.T) string {
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		return "/usr/bin/python3"
	}
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatalf("the attacks need python3: %v", err)
	}
	return strings.TrimSpace(string(out))
}

func (a *arena) outside(k attack) (bool, string) {
	c := exec.Command("/bin/bash", "-c", k.line)
	c.Dir, c.Env = a.box.Folder, a.env
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, _ := c.CombinedOutput()
	return k.succeeded(a, string(out)), string(out)
}

func (a *arena) inside(k attack, skip Held) (bool, string) {
	c := sh(a.box.Folder, k.line)
	c.Env = a.env
	out, _, _ := run(a.t, order{Box: a.box, Command: c, Skip: skip})
	return k.succeeded(a, out), out
}

func (k attack) succeeded(a *arena, out string) bool {
	if k.live != nil {
		return k.live(a)
	}
	return strings.Contains(out, "LIVE")
}

// What a command could do outside of a box it cannot do inside.
func TestAttacksEndAtTheBox(t *testing.T) {
	a := newArena(t)
	for _, k := range attacks {
		t.Run(k.name, func(t *testing.T) {
			if k.root && os.Geteuid() != 0 {
				return // nobody but root could
			}
			a.t = t
			if live, out := a.outside(k); !live {
				t.Fatalf("it does nothing outside either: %s", out)
			}
			if k.undo != nil {
				k.undo(a)
			}
			if live, out := a.inside(k, 0); live {
				t.Errorf("it works inside: %s", out)
			}
		})
	}
}

// Each layer holds something that the others, or those named besides, do not.
func TestEachLayerIsNeeded(t *testing.T) {
	for _, tt := range []struct {
		layer  Held
		beside Held // left out as well
		attack string
		root   bool
	}{
		{Mounts, 0, "read a key", false},
		{Mounts, 0, "chmod outside", false},
		{PIDs, 0, "left behind", false},
		{PIDs, Landlock, "signal another", false},
		{Network, 0, "UDP", false},
		{Network, Landlock, "abstract socket", false},
		{IPC, 0, "shared memory", false},
		{UTS, 0, "names of the machine", false},
		{Seccomp, 0, "io_uring", false},
		{Seccomp, 0, "set-user-ID", false},
		{Landlock, skipReadOnly, "write outside", false},
		{Landlock, PIDs, "signal another", false},
		{Landlock, Network, "abstract socket", false},
		{Rights, 0, "capabilities", true},
		{Users, Rights, "device", true},
	} {
		t.Run(tt.layer.String()+" "+tt.attack, func(t *testing.T) {
			if tt.root && os.Geteuid() != 0 {
				return // the layer keeps root only from it
			}
			a := newArena(t)
			for _, k := range attacks {
				if k.name != tt.attack {
					continue
				}
				if live, out := a.inside(k, tt.beside); live {
					t.Errorf("it works with the layer: %s", out)
				}
				if live, out := a.inside(k, tt.beside|tt.layer); !live {
					t.Errorf("it does not work without the layer: %s", out)
				}
			}
		})
	}
}

// The box is the same for who is not root.
func TestAttacksOfAnotherUserEndAtTheBox(t *testing.T) {
	if os.Geteuid() != 0 {
		return // then the others have shown it
	}
	dir := outsideOf(t)
	program := filepath.Join(dir, "attacks")
	data, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Chmod(dir, 0o755)
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.Chown(work, 65534, 65534)
	c := exec.Command(program, "-test.run", "TestAttacksEndAtTheBox|TestEachLayerIsNeeded|TestProbe|TestNothingIsLeft", "-test.v")
	c.Dir = work
	c.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + work, "NEBULA_ATTACK_DIR=" + work}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestAttacksEndAtTheBox") {
		t.Errorf("%v\n%s", err, out)
	}
}
