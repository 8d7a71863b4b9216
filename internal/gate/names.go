package gate

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/steer"
)

// A kind of files, and how their names tell, see [steer.Fits]. What steers other programs, and what holds secrets, is in that package.
var named = []struct {
	danger Danger
	names  []string
}{
	{Runs, strings.Fields("*.exe *.bat *.cmd *.com *.sh *.bash *.zsh *.fish *.ps1 *.psm1 *.vbs *.scr *.msi *.app *.command *.desktop *.scpt *.reg *.jar")},
	{System, strings.Fields("dockerfile containerfile docker-compose.yml docker-compose.yaml crontab sudoers hosts jenkinsfile cron.d/")},
}

// Secret reports whether a file's name says that it holds secrets: reading it asks, at this level.
func (p Protection) Secret(file string) bool {
	return p.has(Extensions) && lists.Has(names(file), Secret)
}

// called are the dangers that the names of a target tell of: where it is, and how it was called.
func called(t nebula.Target) []Danger {
	found := names(t.Path)
	if t.Named != "" {
		found = append(found, names(t.Named)...)
	}
	return found
}

// names are the dangers that a file's name tells of.
func names(file string) []Danger {
	low := strings.ToLower(strings.ReplaceAll(file, `\`, "/"))
	var found []Danger
	if steer.Secret(low) {
		found = append(found, Secret)
	}
	for _, kind := range named {
		if slices.ContainsFunc(kind.names, func(n string) bool { return steer.Fits(n, low) }) {
			found = append(found, kind.danger)
		}
	}
	if steer.File(low) {
		found = append(found, Steers)
	}
	return found
}
