package gate

import (
	"slices"
	"strings"
	"testing"

	"nebula"
)

// What another program is told to run, and a program under another name, is run too.
func TestWhatIsRunByAnotherNameIsStarted(t *testing.T) {
	for line, want := range map[string]bool{
		"tar cf x.tar --checkpoint=1 --checkpoint-action=exec='rm keep/1.txt' .": true,
		"tar xf x.tar --to-command 'rm keep/1.txt'":                              true,
		"tar cf x.tar -I 'rm keep/1.txt' .":                                      true,
		"hash -p /bin/rm x; x keep/1.txt":                                        true,
		"source <(echo rm keep/1.txt)":                                           true,
		". <(cat q)":                                                             true,
		"bash <(cat q)":                                                          true,
		"ln -s /bin/rm x; ./x keep/1.txt":                                        true,
		"ln -s $(which r*) x; ./x keep/1.txt":                                    true,
		"cp /usr/bin/rm x && ./x keep/1.txt":                                     true,
		"shopt -s expand_aliases\nalias x=rm\nx keep/1.txt":                      true,
		"tar czf a.tgz src":                                                      false,
		"ln -s ../a b":                                                           false,
		"cp bin/x bin/y":                                                         false,
		"source venv/bin/act":                                                    false,
		"hash -r":                                                                false,
	} {
		got := slices.ContainsFunc(Started(line), func(a Act) bool {
			return a.By == "rm" || strings.HasPrefix(a.By, "rm ") || strings.HasPrefix(a.By, Unnamed)
		})
		if got != want {
			t.Errorf("%s: %v", line, Started(line))
		}
	}
}

// What a program is told to run is told of it, as is what does what a rule forbids by another name; what cannot be told is never low. A row
// begins with + where it is told, with ? where it is not, and with - where nothing is run.
func TestRunnersTellWhatTheyRun(t *testing.T) {
	for _, row := range listed(t, "testdata/runners.txt") {
		sign, line, _ := strings.Cut(strings.ReplaceAll(row, "⏎", "\n"), " ")
		if got := runsRm(line); got != (sign == "+") {
			t.Errorf("%s: %v", row, Started(line))
		}
		if risk := Risk(Dangers(nebula.Proposal{Effect: nebula.Execute, Command: line}, Full)); sign != "-" && risk == "low" {
			t.Errorf("%s: %s", row, risk)
		}
	}
	if n := len(lends(read("ssh" + strings.Repeat(" a", 5000) + " rm x").calls[0])); n > 2*mostLent {
		t.Errorf("%d words are told", n)
	}
}

// runsRm reports whether a line is told to run rm, itself or by what it calls, or any program.
func runsRm(line string) bool {
	for _, l := range append(Called(line, func(string) string { return "" }), line) {
		if slices.ContainsFunc(Started(l), func(a Act) bool {
			return a.By == "rm" || strings.HasPrefix(a.By, "rm ") || l == line && strings.HasPrefix(a.By, Unnamed)
		}) {
			return true
		}
	}
	return false
}
