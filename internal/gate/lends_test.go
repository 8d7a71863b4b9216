package gate

import (
	"slices"
	"strings"
	"testing"
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
