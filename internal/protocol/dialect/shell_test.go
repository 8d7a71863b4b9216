package dialect_test

import (
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dialect"
)

// TestCommandsAloneAreAskedAbout shows what a reply is that is nothing but a command for a shell, or says that it runs
// one, in every language; and that one for the person to run is an answer.
func TestCommandsAloneAreAskedAbout(t *testing.T) {
	const test, read = `?executeShell {"command":"npm test"}`, `?readFile {"path":"a.py"}`
	for text, want := range map[string]string{
		"$ npm test":                  test,
		"$ cat a.py":                  read,
		"```bash\nnpm test\n```":      test,
		"```sh\n$ cat a.py\n```\n":    read,
		"```\n$ npm test\n```":        test,
		"<think>hm</think>$ npm test": test,
		"I'll run the tests now:\n\n```bash\nnpm test\n```": test,
		"$ cd src\n$ make":               `?executeShell {"command":"cd src\nmake"}`,
		"```console\ncat a.py | wc\n```": `?executeShell {"command":"cat a.py | wc"}`,

		"To run the tests:\n\n```bash\nnpm test\n```":                "",
		"Done. You can start it with:\n\n$ npm start":                "",
		"```\nnpm test\n```":                                         "",
		"```python\nprint(1)\n```":                                   "",
		"```console\n$ npm test\nall 3 passed\n```":                  "",
		"$ npm test\nall 3 passed":                                   "",
		"I'll run this:\n```bash\nnpm test\n```\nShould I go ahead?": "",
		"I ran the tests.\n```bash\nnpm test\n```":                   "",
	} {
		for _, row := range language.All() {
			p := row.Protocol
			if p.Name() == "symops" && want == "" { // where $ is the language's own mark
				continue
			}
			in := dialect.Tolerant(p).Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, nebulatest.Specs())
			if got := acts(in); got != want {
				t.Errorf("%s: %q is %q, want %q", p.Name(), text, got, want)
			}
		}
	}
}
