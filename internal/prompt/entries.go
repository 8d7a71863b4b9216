package prompt

import (
	"nebula/internal/lazy"
)

// numbered is how many names have to differ in nothing but a number to be told as one.
const numbered = 4

var anyNumber = &lazy.Pattern{X: `\d+`}

// ranged are names, of which those that differ only in a number stand there as the first and the last of them.
func ranged(names []string) (list []string) {
	alike := map[string][]string{}
	key := func(name string) string {
		at := anyNumber.Re().FindStringIndex(name)
		if at == nil {
			return name
		}
		return name[:at[0]] + "\x00" + name[at[1]:]
	}
	for _, name := range names {
		alike[key(name)] = append(alike[key(name)], name)
	}
	for _, name := range names {
		switch all := alike[key(name)]; {
		case len(all) < numbered:
			list = append(list, name)
		case name == all[0]:
			list = append(list, name+"…"+all[len(all)-1])
		}
	}
	return list
}
