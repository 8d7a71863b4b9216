package state_test

import (
	"strings"
	"testing"

	"nebula/internal/state"
)

// What a turn left of its request is named in the request's own words, and nothing is named where all of it was worked on.
func TestWhatATurnLeftOfItsRequestIsNamed(t *testing.T) {
	for _, c := range []struct{ asks, files, said, answer, left string }{
		{"Fix the crash in parser.py and update README.md.", "parser.py", "if not tokens: return None", "Fixed the crash.", "README.md"},
		{"Fix the crash in parser.py and update README.md.", "parser.py README.md", "if not tokens: return None", "Fixed both.", ""},
		{"Fix the crash in parser.py and update README.md.", "parser.py", "if not tokens", "Fixed. README.md needs no change: it already says so.", ""},
		{"1. Add `slugify` to utils.py\n2. Add `truncate` to utils.py\n3. Bump the version in setup.cfg", "utils.py", "def slugify(s): ...", "Done.", "truncate|setup.cfg"},
		{"1. Add `slugify` to utils.py\n2. Add `truncate` to utils.py\n3. Bump the version in setup.cfg", "utils.py setup.cfg", "def slugify(s)\ndef truncate(s)\nversion = 2", "Done.", ""},
		{"Add `slugify` and `truncate` to utils.py", "utils.py", "def slugify(s)", "Done.", "truncate"},
		{"fix sub. make twice use x + x", "calc.py util.py", "-    return x * 2\n+    return x + x\n", "Done: sub subtracts.", ""},
		{"fix sub. make twice use x + x", "calc.py", "-    return a + b\n+    return a - b\n", "Done: sub subtracts.", "twice"},
		{"make twice return x+x; fix sub", "calc.py util.py", "-    return x * 2\n+    return x + x\n", "Done: sub subtracts.", ""},
		{"Add `slugify` and `truncate` to utils.py", "utils.py", "def slugify(s) def truncate(s)", "Done.", ""},
		{"Add type hints to a.py, b.py and c.py.", "a.py b.py", "def f(x: int)", "Hints are there.", "c.py"},
		{"Add type hints to a.py, b.py and c.py.", "a.py b.py c.py", "def f(x: int)", "Hints are there.", ""},
		{"Implement the cache in cache.go and add tests for it.", "cache.go", "type Cache struct", "The cache is there.", "tests"},
		{"Implement the cache in cache.go and add tests for it.", "cache.go cache_test.go", "type Cache struct func TestCache", "The cache is there.", ""},
		{"Rename `load` to `read_all`, then commit.", "a.py", "read_all load", "Renamed.", "commit"},
		{"Rename `load` to `read_all`, then commit.", "a.py", "read_all load\ngit commit -am rename", "Renamed.", ""},
		{"Add a --json flag to cli.py and also a --quiet flag. Document both in README.md.", "cli.py", "--json --quiet", "Both flags are there.", "README.md"},
		{"Add a --json flag to cli.py and also a --quiet flag. Document both in README.md.", "cli.py README.md", "--json --quiet", "Both.", ""},
		{"Please fix add() so that it adds. Also remove the unused import in main.py.", "calc.py", "def add(a, b): return a + b", "add() adds now.", "main.py"},
		{"Please fix add() so that it adds. Also remove the unused import in main.py.", "calc.py main.py", "def add(a, b): return a + b", "Both.", ""},
		{"In a.py rename foo_old to foo_new, and in b.py fix the import.", "a.py", "foo_old foo_new", "Renamed.", "b.py"},
		{"In a.py rename foo_old to foo_new, and in b.py fix the import.", "a.py b.py", "foo_old foo_new", "Renamed.", ""},
		{"parser.py の不具合を修正して、README.md にも追記してください。", "parser.py", "return None", "直しました。", "README.md"},
		{"parser.py の不具合を修正して、README.md にも追記してください。", "parser.py README.md", "return None", "両方直しました。", ""},
		{"`load` を `read_all` に改名し、テストを追加してください。", "a.py", "load read_all", "改名しました。", "テスト"},
		{"`load` を `read_all` に改名し、テストを追加してください。", "a.py test_a.py", "load read_all def test_read", "改名しました。", ""},
		{"Do three things:\n- fix the date bug in report.py\n- make the export sorted in export.py\n- update CHANGELOG", "report.py CHANGELOG.md", "date", "Done.", "export.py"},
		{"Do three things:\n- fix the date bug in report.py\n- make the export sorted in export.py\n- update CHANGELOG", "report.py export.py CHANGELOG.md", "date sorted(", "Done.", ""},
		{"Refactor config.js to use async/await; add a note to CHANGELOG.md; delete legacy.js", "config.js CHANGELOG.md", "await", "Refactored.", "legacy.js"},
		{"Refactor config.js to use async/await; add a note to CHANGELOG.md; delete legacy.js", "config.js CHANGELOG.md legacy.js", "await", "Refactored.", ""},
		{"Create src/user.ts and src/user.test.ts with a User class.", "src/user.ts", "export class User", "Created.", "user.test.ts"},
		{"Create src/user.ts and src/user.test.ts with a User class.", "src/user.ts src/user.test.ts", "export class User", "Created.", ""},
		{"Fix the typo in the help text and add a `--version` option.", "cli.py", "Usage: help text", "The typo in the help text is fixed.", "--version"},
		{"Fix the typo in the help text and add a `--version` option.", "cli.py", "Usage: help text --version", "Both.", ""},
		{"Replace `requests` with `httpx` in client.py, and update requirements.txt.", "client.py", "import httpx requests", "Replaced.", "requirements.txt"},
		{"Replace `requests` with `httpx` in client.py, and update requirements.txt.", "client.py requirements.txt", "import httpx requests", "Replaced.", ""},
		{"Add logging to server.go, raise the timeout to 30s in client.go, and write a test for both.", "server.go client.go", "log.Printf 30 * time.Second", "Done.", "test"},
		{"Add logging to server.go, raise the timeout to 30s in client.go, and write a test for both.", "server.go client.go net_test.go", "log.Printf 30 * time.Second func TestBoth", "Done.", ""},
		{"The build fails. Fix it, and document the new option in docs/options.md", "Makefile", "go build", "It builds.", "docs/options.md"},
		{"The build fails. Fix it, and document the new option in docs/options.md", "Makefile docs/options.md", "go build option", "It builds.", ""},
		{"Write stack.py with push and pop. Write queue.py with put and get.", "stack.py", "def push def pop", "stack.py is there.", "queue.py"},
		{"Write stack.py with push and pop. Write queue.py with put and get.", "stack.py queue.py", "def push def pop def put", "Both.", ""},
		{"(1) add retry to fetch.py (2) handle empty pages in crawl.py", "fetch.py", "for attempt in range(3)", "Retries now.", "crawl.py"},
		{"(1) add retry to fetch.py (2) handle empty pages in crawl.py", "fetch.py crawl.py", "for attempt in range(3) if not page", "Both.", ""},
		{"config.yaml を更新し、deploy.sh も修正し、CHANGELOG.md に追記して。", "config.yaml CHANGELOG.md", "port: 80", "更新しました。", "deploy.sh"},
		{"config.yaml を更新し、deploy.sh も修正し、CHANGELOG.md に追記して。", "config.yaml deploy.sh CHANGELOG.md", "port: 80", "更新しました。", ""},
		{"The function `parse_date` in utils/dates.py raises ValueError for '2024-02-29'. Please fix this and make sure the existing tests pass. You should also add a regression test in tests/test_dates.py.", "utils/dates.py", "calendar.isleap(year)", "Leap days parse now.", "test_dates.py"},
		{"The function `parse_date` in utils/dates.py raises ValueError for '2024-02-29'. Please fix this and make sure the existing tests pass. You should also add a regression test in tests/test_dates.py.", "utils/dates.py tests/test_dates.py", "calendar.isleap(year) def test_leap", "Leap days parse now.", ""},
		{"Implement the functions in bowling.py so that the tests in bowling_test.py pass. Do not change the tests.", "bowling.py", "class BowlingGame def roll", "Implemented.", ""},
		{"Add a `/health` endpoint to app.py that returns {\"status\": \"ok\"}, and update the OpenAPI file openapi.yaml accordingly.", "app.py", "@app.get('/health') status ok", "There is an endpoint.", "openapi.yaml"},
		{"Add a `/health` endpoint to app.py that returns {\"status\": \"ok\"}, and update the OpenAPI file openapi.yaml accordingly.", "app.py openapi.yaml", "@app.get('/health') status ok", "There is an endpoint.", ""},
		{"Make the CLI print a usage message when called without arguments, exit with code 2, and mention it in the README.", "main.go", "usage os.Exit(2)", "It prints a usage message.", "README"},
		{"Make the CLI print a usage message when called without arguments, exit with code 2, and mention it in the README.", "main.go README.md", "usage os.Exit(2)", "It prints a usage message.", ""},
		{"Rename the class Foo to Bar everywhere, update the imports, and delete the old foo.py.", "bar.py main.py foo.py", "class Bar from bar import Bar", "Renamed.", ""},
		{"Rename the class Foo to Bar everywhere, update the imports, and delete the old foo.py.", "bar.py main.py", "class Bar from bar import Bar", "Renamed.", "foo.py"},
		{"Issue: TypeError when calling `Client.get()` with no params.\n\nSteps to reproduce:\n1. Create a client\n2. Call `client.get()`\n3. See error\n\nExpected: returns an empty list.\nActual: TypeError: 'NoneType' object is not iterable\n\nFix it.", "client.py", "params = params or {}", "Calls without params work.", ""},
		{"I want to: \n1) convert all print() calls in report.py to logging\n2) read the log level from the LOG_LEVEL env variable\n3) add a .env.example", "report.py", "logging.info os.environ['LOG_LEVEL']", "Logging is there.", ".env.example"},
		{"I want to: \n1) convert all print() calls in report.py to logging\n2) read the log level from the LOG_LEVEL env variable\n3) add a .env.example", "report.py .env.example", "print( logging.info os.environ['LOG_LEVEL']", "Logging is there.", ""},
		{"Improve performance of `search` in index.go; it is O(n^2). Use a map. Then update the benchmark in index_test.go to cover 10k entries.", "index.go", "seen := map[string]int{}", "It is linear.", "index_test.go"},
		{"Improve performance of `search` in index.go; it is O(n^2). Use a map. Then update the benchmark in index_test.go to cover 10k entries.", "index.go index_test.go", "seen := map[string]int{} BenchmarkSearch 10000", "It is linear.", ""},
		{"Write a script `backup.sh` that copies ~/docs to /backup, keeps the last five, and prints what it did. Make it executable.", "backup.sh", "cp -r ls -t | tail -n +6 echo chmod +x", "The script is there and executable.", ""},
		{"Set the port to 8080 and the host to 0.0.0.0 in config.toml.", "config.toml", "port = 8080 host = \"0.0.0.0\"", "Set.", ""},
		{"Add German and French translations of the strings in locale/en.json.", "locale/de.json locale/fr.json", "Hallo Bonjour", "German and French are there.", ""},
		{"Fix the two failing tests and explain why they failed.", "a.go", "x", "They failed since x.", ""},
		{"Replace the deprecated `ioutil.ReadAll` by `io.ReadAll` in all files.", "a.go b.go", "io.ReadAll ioutil.ReadAll", "Replaced.", ""},
		{"User のメールアドレスを検証する関数を追加し、登録フォームで使ってください。テストも書いてください。", "user.py form.py", "def valid_email", "検証する関数を追加し、フォームで使っています。", "テスト"},
		{"User のメールアドレスを検証する関数を追加し、登録フォームで使ってください。テストも書いてください。", "user.py form.py test_user.py", "def valid_email def test_email", "検証する関数を追加し、フォームで使っています。テストも書きました。", ""},
		{"次の3点をお願いします。\n1. app.js のタイムアウトを30秒にする\n2. エラー時に再試行する\n3. docs/usage.md を更新する", "app.js", "timeout: 30000 retry", "30秒にし、エラー時に再試行します。", "docs/usage.md"},
		{"次の3点をお願いします。\n1. app.js のタイムアウトを30秒にする\n2. エラー時に再試行する\n3. docs/usage.md を更新する", "app.js docs/usage.md", "timeout: 30000 retry", "30秒にし、エラー時に再試行します。", ""},
		{"Add pagination (`page`, `per_page`) to the list endpoint, cap `per_page` at 100, and return the total in `X-Total`.", "api.py", "page per_page min(per_page, 100)", "There is pagination.", "X-Total"},
		{"Add pagination (`page`, `per_page`) to the list endpoint, cap `per_page` at 100, and return the total in `X-Total`.", "api.py", "page per_page min(per_page, 100) X-Total", "There is pagination.", ""},
		{"fix go and commit", "go.py .git/COMMIT_EDITMSG .git/objects/aa/bb", "return 1 go", "Done.", ""},
		{"fix go and commit", "go.py", "return 1 go\ngit -c user.name='A B' -C . commit -m x", "Done.", ""},
		{"fix go and commit", "go.py .git/objects/aa/bb", "return 1 go\ngit log --grep commit", "Done.", "commit"},
		{"add is wrong, fix it", "calc.py", "a + b", "It adds.", ""},
		{"add() doesn't add. Fix it and update README.md", "calc.py", "a + b", "It sums.", "README.md"},
		// one thing, whatever is said beside it
		{"Fix add in calc.py", "calc.py", "a + b", "Fixed.", ""},
		{"Fix the bug in calc.py: it should return 3 like in spec.md, but returns 2. Don't change the tests.", "calc.py", "a + b", "Fixed.", ""},
		{"Move `helper` from a.py to b.py and keep the tests green.", "a.py b.py", "def helper", "Moved.", ""},
		{"Fix the flaky retry. If needed, update README.md.", "retry.go", "retry", "Fixed.", ""},
		{"Fix the failing test. Run the tests, then tell me what was wrong.", "a.py", "x", "The failing test was wrong.", ""},
		{"Make the parser faster and clean up the error handling.", "p.go", "if err != nil", "The parser is faster, and error handling is one function.", ""},
	} {
		w := state.Work{Files: strings.Fields(c.files), Said: c.said + " " + c.files, Answer: c.answer}
		left := w.Untouched(c.asks)
		var want []string
		if c.left != "" {
			want = strings.Split(c.left, "|")
		}
		ok := len(left) == len(want)
		for i := range want {
			ok = ok && strings.Contains(left[i], want[i])
		}
		if !ok {
			t.Errorf("%q\n\tchanged %s: left %q, want %q", c.asks, c.files, left, want)
		}
	}
}
