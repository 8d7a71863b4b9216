//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula/internal/confine"
	"nebula/internal/nebulatest"
)

// rights is a bed whose home lies beside its folder, and whose model runs a command and reads what came of it. NEBULA and
// HOME stand in the command for the program and its home.
func rights(t *testing.T, command string) (b *bed, read *strings.Builder) {
	b = newBed(t)
	b.home, b.folder = filepath.Join(b.folder, "home"), filepath.Join(b.folder, "project")
	for _, dir := range []string{b.home, b.folder} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	command = strings.NewReplacer("NEBULA config", b.path+" config", "HOME/", b.home+"/").Replace(command)
	args, _ := json.Marshal(map[string]string{"command": command, "reason": "r"})
	read = &strings.Builder{}
	b.server.Answers = func(n int, body []byte) *nebulatest.Answer {
		if n > 0 {
			read.Write(body)
			return &nebulatest.Answer{Text: "Done."}
		}
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: args}}}
	}
	return b, read
}

func (b *bed) settings() string {
	data, err := os.ReadFile(filepath.Join(b.home, "config.json"))
	if err != nil && !os.IsNotExist(err) {
		b.t.Error(err)
	}
	return string(data)
}

// No command gives itself rights that last, however it spells it, and it is said that it tried.
func TestCommandsCannotChangeTheSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program often")
	}
	const all = `{"approve":"all"}`
	for name, command := range map[string]string{
		"from above":  `cd .. && echo '` + all + `' > home/config.json`,
		"in pieces":   `f=onfig.json; cd ../home; echo '` + all + `' > c$f`,
		"a script":    `printf 'cd ../home; echo %s > config.json' "'` + strings.ReplaceAll(all, `"`, `\"`) + `'" > w.sh; sh ./w.sh`,
		"removed":     `rm -f ../home/config.json`,
		"a link":      `echo '` + all + `' > x.json; ln -sf "$PWD/x.json" ../home/config.json`,
		"a directory": `rm -f ../home/config.json; mkdir ../home/config.json`,
		"moved":       `mv ../home/config.json ../home/c; echo '` + all + `' > ../home/config.json`,
		"open to all": `chmod 666 ../home/config.json`,
		"itself":      `env NEBULA_HOME=../home NEBULA config set approve all`,
		"unnoted":     `rm -rf ../home/held; env -i NEBULA_HOME=../home NEBULA config set approve all`,
		"a note":      `echo '[{"path":"HOME/config.json","there":true,"mode":384,"data":"eyJhcHByb3ZlIjoiYWxsIn0="}]' > ../home/held/command-1`,
	} {
		for _, before := range []string{"", `{"theme":"dark"}`} {
			t.Run(fmt.Sprintf("%s, %d bytes before", name, len(before)), func(t *testing.T) {
				t.Parallel()
				b, read := rights(t, command)
				if before != "" {
					if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(before), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				out := b.output("run", "--approve", "all", "go")
				if got := b.settings(); got != before {
					t.Errorf("the settings are %s", got)
				}
				fi, err := os.Lstat(filepath.Join(b.home, "config.json"))
				if before != "" && (err != nil || fi.Mode() != 0o600) {
					t.Errorf("%v, %v", fi, err)
				}
				b.output("sessions") // the next start puts nothing else there
				if got := b.settings(); got != before {
					t.Errorf("later the settings are %s", got)
				}
				tried := name != "itself" && name != "a note" && (before != "" || name != "removed" && name != "open to all" && name != "moved") || name == "moved"
				if told := strings.Contains(read.String(), "settings were changed and have been put back"); told != tried {
					t.Errorf("the model was told: %v\n%s\n%s", told, read, out)
				}
				if audit := b.output("audit"); strings.Contains(audit, "settings, which were put back") != tried {
					t.Errorf("the audit says\n%s", audit)
				}
			})
		}
	}
}

// What a command did that was cut off with nebula itself is put back before it is read.
func TestSettingsChangedAtAKillArePutBack(t *testing.T) {
	b, c := ready(t, `echo '{"approve":"all"}' > ../home/config.json; touch ready; sleep 60`)
	_ = c.Process.Kill()
	_ = c.Wait()
	if data := b.settings(); !strings.Contains(data, "all") {
		t.Fatalf("nothing was changed: %s", data)
	}
	show := b.command("config", "get", "approve")
	var said strings.Builder
	show.Stderr = &said
	out, err := show.Output()
	if err != nil || strings.TrimSpace(string(out)) == "all" {
		t.Errorf("approve is %s, %v", out, err)
	}
	if !strings.Contains(said.String(), "was changed while a command ran") || b.settings() != "" {
		t.Errorf("%s; the settings are %s", said.String(), b.settings())
	}
	if data, _ := os.ReadFile(filepath.Join(b.home, "config.json.changed")); !strings.Contains(string(data), "all") {
		t.Error("what the command wrote is lost")
	}
	b.output("config", "set", "theme", "dark")
	b.output("sessions")
	if !strings.Contains(b.settings(), "dark") {
		t.Errorf("what the person set is gone: %s", b.settings())
	}
}

// A project's settings keep rights back: no command takes them away, and they are what they were when they are next read.
func TestCommandsCannotChangeTheProjectsSettings(t *testing.T) {
	const tight = `{"approve":"none"}`
	const loosen = "f=onfig.json; cd .nebu*; echo {} > c$f; cd .."
	file := func(b *bed) string { return filepath.Join(b.folder, ".nebula", "config.json") }
	is := func(b *bed, want string) {
		t.Helper()
		if data, err := os.ReadFile(file(b)); string(data) != want {
			t.Errorf("the project's settings are %q, %v", data, err)
		}
	}
	has := func(b *bed, _ *strings.Builder) *bed {
		if err := os.MkdirAll(filepath.Dir(file(b)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(b), []byte(tight), 0o644); err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := has(rights(t, loosen))
	b.output("run", "--approve", "all", "go")
	is(b, tight)
	if audit := b.output("audit"); !strings.Contains(audit, "settings, which were put back") {
		t.Errorf("the audit says\n%s", audit)
	}
	for _, next := range []string{"doctor", "status"} { // also from another folder
		b = has(rights(t, loosen+"; touch ready; sleep 60"))
		c := b.begins()
		_ = c.Process.Kill()
		_ = c.Wait()
		is(b, "{}\n")
		look := b.command(next)
		look.Dir = b.home
		out, _ := look.CombinedOutput()
		is(b, tight)
		if !strings.Contains(string(out), "was changed while a command ran") {
			t.Errorf("%s says\n%s", next, out)
		}
	}
}

// Doctor tells of the settings that hold, not of those that a command left.
func TestDoctorReadsTheSettingsThatWerePutBack(t *testing.T) {
	b, c := ready(t, `echo '{"frobnicate":1}' > ../home/config.json; touch ready; sleep 60`)
	_ = c.Process.Kill()
	_ = c.Wait()
	out, _ := b.command("doctor").CombinedOutput()
	if strings.Contains(string(out), "frobnicate") || !strings.Contains(string(out), "was changed while a command ran") {
		t.Errorf("doctor says\n%s", out)
	}
}

func TestSettingsAreNotWrittenWhileACommandRuns(t *testing.T) {
	b, c := ready(t, "touch ready; sleep 60")
	set := b.command("config", "set", "theme", "dark")
	if out, err := set.CombinedOutput(); err == nil || !strings.Contains(string(out), "a command that nebula runs is not over") || b.settings() != "" {
		t.Errorf("%s; the settings are %s", out, b.settings())
	}
	_ = c.Process.Kill()
	_ = c.Wait()
}

// ready is a nebula whose command has come to its pause.
func ready(t *testing.T, command string) (*bed, *exec.Cmd) {
	b, _ := rights(t, command)
	return b, b.begins()
}

func (b *bed) begins() *exec.Cmd {
	t := b.t
	c := b.command("run", "--approve", "all", "go")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(b.folder, "ready")); err == nil {
			break
		}
	}
	return c
}

// What a command did on its view that cannot be kept is told to the person and to the model as what it is: not there when it
// was made, still there when it was removed.
func TestWhatCannotBeKeptIsTold(t *testing.T) {
	if _, err := confine.Probe(); err != nil {
		t.Skip("the system gives no namespaces: ", err)
	}
	b, read := rights(t, "rm gone && mkfifo made && echo text > file")
	if err := syscall.Mkfifo(filepath.Join(b.folder, "gone"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := b.command("run", "--approve", "edits", "go")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "not kept: gone, made") {
		t.Errorf("%v\n%s", err, out)
	}
	if !strings.Contains(read.String(), "was not kept, they are as they were before: gone, made") {
		t.Errorf("the model was told %s", read)
	}
	for name, want := range map[string]bool{"gone": true, "made": false, "file": true} {
		if _, err := os.Lstat(filepath.Join(b.folder, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
