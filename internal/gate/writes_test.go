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
	} {
		if got := gate.Writes(line, func(p string) bool { return path.Base(p) == "version.py" }); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
