package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nebula/internal/confine"
	"nebula/internal/nebulatest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"nebula": func() { Main(Linked{}) }, "lends": lendsTools})
}

// TestScripts runs the whole program against a real server. Each script has a home, a project folder and a key of its
// own. Beside testscript's commands there are:
//
//	model FILE        starts a server that gives the answers of FILE, and points nebula at it; one that runs gives them after
//	                  those it has, with -anew another begins; with -lists NAME,NAME it has these models
//	code N CMD ARG…   runs a command and checks its exit code
//	requests N        checks how many requests the server had, and writes their bodies to $WORK/requests/N.json
//	oneline FILE      checks that stdout or stderr is exactly one line
//	last FILE         copies the last line of stdout to FILE
//	japanese FILE     checks that no line of FILE speaks English: three words of it in a row, outside of code and differences
//	damage DIR        overwrites the middle of every file in DIR
func TestScripts(t *testing.T) {
	testscript.Run(t, scripts("script"))
}

// scripts are those of a folder of testdata, with the commands above.
func scripts(folder string) testscript.Params {
	return testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", folder),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup:               setUp,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"model": startModel(verbatim), "code": wantCode, "requests": wantRequests, "oneline": wantOneLine, "last": lastLine, "damage": damage, "japanese": isJapanese,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "servers":
				_, err := nebulatest.Servers()
				return err == nil, nil
			case "languages":
				_, err := nebulatest.LanguageServers()
				return err == nil, nil
			case "confined":
				_, err := confine.Probe()
				return err == nil, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
	}
}

type serverKey struct{}

func setUp(e *testscript.Env) error {
	e.Setenv("NEBULA_HOME", filepath.Join(e.WorkDir, "home"))
	e.Setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
	e.Setenv("NO_PROXY", "*")
	for name, address := range map[string]string{"OLLAMA_HOST": "127.0.0.1:1", "LLAMACPP_BASE_URL": "http://127.0.0.1:1/v1", "LMSTUDIO_BASE_URL": "http://127.0.0.1:1/v1", "VLLM_BASE_URL": "http://127.0.0.1:1/v1"} {
		e.Setenv(name, address) // what runs on this machine is not the tests'
	}
	e.Setenv("SERVERS", nebulatest.ServersAt())
	e.Setenv("LANGUAGES", nebulatest.LanguagesAt())
	project := filepath.Join(e.WorkDir, "project")
	e.Cd = project
	e.Values[serverKey{}] = &struct{ *nebulatest.Server }{}
	return os.MkdirAll(project, 0o755)
}

// startModel starts a server with the answers that a script's file is read as.
func startModel(read func(text string) ([]nebulatest.Answer, error)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		if len(args) > 1 && args[0] == "-anew" {
			ts.Value(serverKey{}).(*struct{ *nebulatest.Server }).Server = nil // it is closed in the end
			args = args[1:]
		}
		var lists []string
		if len(args) == 3 && args[0] == "-lists" {
			lists, args = strings.Split(args[1], ","), args[2:]
		}
		if len(args) != 1 {
			ts.Fatalf("usage: model [-anew] [-lists NAME,NAME] FILE")
		}
		answers, err := read(ts.ReadFile(args[0]))
		ts.Check(err)
		serveAnswers(ts, answers)
		if lists != nil {
			ts.Value(serverKey{}).(*struct{ *nebulatest.Server }).Models = lists // before it is asked
		}
	}
}

// verbatim are answers as they stand.
func verbatim(text string) ([]nebulatest.Answer, error) {
	return nebulatest.ReadAnswers(strings.NewReader(text))
}

// serveAnswers gives nebula's server further answers, and starts it with the first.
func serveAnswers(ts *testscript.TestScript, answers []nebulatest.Answer) {
	held := ts.Value(serverKey{}).(*struct{ *nebulatest.Server })
	if held.Server != nil {
		held.Add(answers...)
		return
	}
	server, err := nebulatest.Serve(answers...)
	ts.Check(err)
	held.Server = server
	ts.Defer(held.Server.Close)
	ts.Setenv("OPENAI_BASE_URL", held.URL())
}

func wantCode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func wantRequests(ts *testscript.TestScript, _ bool, args []string) {
	held := ts.Value(serverKey{}).(*struct{ *nebulatest.Server })
	requests := held.Requests()
	dir := ts.MkAbs(filepath.Join(ts.Getenv("WORK"), "requests"))
	ts.Check(os.MkdirAll(dir, 0o755))
	for i, r := range requests {
		ts.Check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i+1)), r.Body, 0o644))
	}
	if want, err := strconv.Atoi(args[0]); err != nil || len(requests) != want {
		ts.Fatalf("%d requests, want %s", len(requests), args[0])
	}
}

func wantOneLine(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s is not one line: %q", args[0], text)
	}
}

func lastLine(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.Split(strings.TrimRight(ts.ReadFile("stdout"), "\n"), "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(lines[len(lines)-1]+"\n"), 0o644))
}

var english = regexp.MustCompile(`(?:^|[^-"/.\w])[A-Za-z']+,? [a-z']+,? [a-z']+`)

func isJapanese(ts *testscript.TestScript, _ bool, args []string) {
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if strings.ContainsAny(line[:1], "+-@ ") || strings.HasPrefix(line, "✗ $") || strings.HasPrefix(line, "⊘ $") || strings.HasPrefix(line, "✓ $") || strings.Contains(line, "実行: ") {
			continue
		}
		if m := english.FindString(line); m != "" {
			ts.Fatalf("%q in %q", m, line)
		}
	}
}

func damage(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	entries, err := os.ReadDir(dir)
	ts.Check(err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		ts.Check(err)
		for i := len(data) / 4; i < len(data)*3/4; i++ {
			data[i] ^= 0x5a
		}
		ts.Check(os.WriteFile(filepath.Join(dir, e.Name()), data, 0o600))
	}
}
