package cost

import (
	"encoding/json"

	"nebula"
)

// A Set is a task's actions in one reply.
type Set struct {
	Name    string
	Actions []nebula.Action
}

// Sets are five kinds of work: three new files (the task of Sym-Ops §7.1), looking around, a rewrite of a file full of
// quotes, small changes with a test run, and housekeeping on the command line.
func Sets() []Set {
	return []Set{
		{"three files", []nebula.Action{
			act("writeFile", "password hashing lives here", "path", "src/auth.py", "content", authPy),
			act("writeFile", "the user it works on", "path", "src/models.py", "content", modelsPy),
			act("writeFile", "prove both", "path", "tests/test_auth.py", "content", testPy),
		}},
		{"look around", []nebula.Action{
			act("list", "see the layout", "path", "src", "recursive", true),
			act("searchInDirectory", "find where users are loaded", "directory", "src", "keyword", "load_user"),
			act("readFile", "the entry point", "path", "src/main.py"),
			act("readFile", "the service it calls", "path", "src/services/user_service.py"),
			act("searchCode", "who opens connections", "query", "database connection"),
		}},
		{"rewrite", []nebula.Action{
			act("editFile", "quote the arguments", "path", "scripts/deploy.sh", "new_content", deploySh),
			act("editFile", "add the new service", "path", "config/services.json", "new_content", servicesJSON),
		}},
		{"patch and test", []nebula.Action{
			act("patchFile", "the limit is off by one", "path", "internal/store/page.go", "edits", []any{
				map[string]any{"old": "\tif n > limit {\n\t\treturn nil\n\t}", "new": "\tif n >= limit {\n\t\treturn nil\n\t}"}}),
			act("patchFile", "its test expects the old one", "path", "internal/store/page_test.go", "edits", []any{
				map[string]any{"old": "want := 10", "new": "want := 9"}, map[string]any{"old": "\"ten\"", "new": "\"nine\""}}),
			act("runTests", "prove it", "command", "go test ./internal/store/..."),
		}},
		{"housekeeping", []nebula.Action{
			act("createDirectory", "a place for the new module", "path", "src/new_module"),
			act("deleteFile", "nothing uses it", "path", "src/legacy/util_old.py"),
			act("executeShell", "needed for the tests", "command", "pip install 'pytest>=8' && pip freeze | grep -i pytest > requirements-dev.txt"),
			act("runTests", "still green"),
		}},
	}
}

func act(tool, reason string, pairs ...any) nebula.Action {
	args := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	raw, _ := json.Marshal(args) // strings, booleans and lists of them marshal
	return nebula.Action{Tool: tool, Reason: reason, Args: raw, Confidence: 1}
}

const (
	authPy = `import hashlib
import hmac
import os

ROUNDS = 200_000


def hash_password(password: str) -> bytes:
    salt = os.urandom(16)
    return salt + hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS)


def verify_password(password: str, stored: bytes) -> bool:
    salt, digest = stored[:16], stored[16:]
    return hmac.compare_digest(digest, hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS))
`
	modelsPy = `from dataclasses import dataclass, field


@dataclass
class User:
    name: str
    password: bytes = field(repr=False)
    active: bool = True
`
	testPy = `from src.auth import hash_password, verify_password


def test_round_trip():
    stored = hash_password("s3cret")
    assert verify_password("s3cret", stored)
    assert not verify_password("other", stored)
`
	deploySh = `#!/bin/sh
set -eu
target="${1:?usage: deploy.sh \"host name\"}"
for f in bin/*; do
	scp "$f" "$target:/srv/app/"
done
ssh "$target" "systemctl restart app && echo \"done\""
`
	servicesJSON = `{
  "services": [
    {"name": "api", "url": "http://localhost:8080", "retries": 3},
    {"name": "mail", "url": "http://localhost:8025", "retries": 1}
  ]
}
`
)
