package gate

import (
	"testing"

	"nebula"
)

// What hides behind another program's name, behind builtins that reckon or tell, or behind a number is not taken for harmless.
func TestWhatBuiltinsAndWrappersHideIsSeen(t *testing.T) {
	for line, low := range map[string]bool{
		"nice -n 5 sh -c 'rm -rf x'": false, "timeout 5 sh x": false, "command -p sh": false, "nice -n 5 ls": true, "timeout 1.5m ls": true, "nohup dd if=a of=b": false,
		"printf -v PATH x": false, "printf -v x %s y": true, "let 'a[$(id)]=1'": false, "let i=i+1": true, "test -v 'a[$(id)]'": false, "unset 'a[`id`]'": false, "test -d a": true, "unset a": true,
		"set": false, "set -e": true, "export -p": false, "declare -p": false, "export": false, "export A=b": true, "readonly a=1": true, "mypy --config-file x": false, "mypy src": true,
	} {
		if found := Dangers(nebula.Proposal{Effect: nebula.Execute, Command: line}, Full); (Risk(found) == Low) != low {
			t.Errorf("%s: %v", line, found)
		}
	}
}
