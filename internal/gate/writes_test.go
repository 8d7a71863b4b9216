package gate_test

import (
	"path"
	"testing"

	"nebula/internal/gate"
)

// A line that names a file and changes it is told from one that only reads, tests or runs it.
func TestALineThatChangesAFileItNames(t *testing.T) {
	for line, want := range map[string]bool{
		"sed -i s/1.2.2/1.3.0/ dotenv/version.py": true, "echo x > dotenv/version.py": true, "echo '1.3.0' > t && mv t dotenv/version.py": true,
		"rm version.py": true, "cp a.py ./version.py": true, "tee version.py < a": true, "git checkout version.py": true, `sh -c "sed -i s/a/b/ version.py"`: true, "gofmt -w version.py": true,
		"cat version.py": false, "python -m pytest version.py": false, "./run version.py": false, "grep x version.py": false, "sed -i s/a/b/ other.py": false, "go test ./... 2>&1 | tail": false,
		"python3 -c \"open('version.py','w').write('x')\"": true, "python3 -c \"print(open('version.py').read())\"": false, "node -e \"require('fs').writeFileSync('version.py', '')\"": true,
		"python3 - <<'X'\nfrom pathlib import Path\nPath('version.py').write_text('x')\nX": true, "perl -pi -e 's/a/b/' version.py": true, "python3 -c \"import version; print(version.py)\"": false,
		"rm -rf dotenv": true, "rm -r dotenv/": true, "mv dotenv old": true, "rm -rf build": false, "mkdir -p dotenv": false, "cp -r dotenv backup": false, "ls dotenv": false, "git add dotenv": false, "git mv dotenv env": true,
	} {
		if got := gate.Writes(line, func(p string) bool { return path.Base(p) == "version.py" }, func(f string) bool { return path.Clean(f) == "dotenv" }); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
