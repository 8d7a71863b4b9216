package gate

import "strings"

// words of verbs, by what they do.
func verbs(of map[string][]Danger) map[string][]Danger {
	table := map[string][]Danger{}
	for list, does := range of {
		for _, v := range strings.Fields(list) {
			table[v] = does
		}
	}
	return table
}

// The verbs of programs that do this or that, made when the programs are.

func goVerbs() map[string][]Danger {
	return verbs(map[string][]Danger{
		"build test vet list version doc help fix": nil, "fmt": nil, "env": nil, "mod": nil, "work": nil,
		"run generate tool": {RunsCode}, "get install": {Network}, "clean": {Alters}, "telemetry": {Privileged}, "bug": {Network},
	})
}

func cargoVerbs() map[string][]Danger {
	return verbs(map[string][]Danger{
		"build b check c test t clippy fmt doc d tree metadata version help pkgid verify-project locate-project bench nextest": nil,
		"run r miri expand": {RunsCode}, "install add update fetch search generate-lockfile vendor": {Network}, "publish login owner yank": {Publishes, Network},
		"clean remove rm uninstall": {Destroys}, "new init fix": {Alters},
	})
}

func npmVerbs() map[string][]Danger {
	return verbs(map[string][]Danger{
		"test t tst ls list ll why explain version --version -v help root prefix bin query":                                       nil,
		"run run-script start stop restart rebuild":                                                                               {RunsCode},
		"exec x dlx install i in add ci update up upgrade audit outdated view info show search fund create init link pack dedupe": {Network},
		"publish deploy unpublish login logout adduser token owner access dist-tag deprecate star":                                {Publishes, Network},
		"uninstall remove rm un prune cache":                                                                                      {Destroys}, "config set edit pkg": {Alters, Unclear},
	})
}

func managerVerbs() map[string][]Danger {
	return verbs(map[string][]Danger{
		"list show info freeze check --version version help tree which licenses":                                                                          nil,
		"install i add get update upgrade ci fetch pull download sync search outdated create init self lock refresh tap in -S -Sy -Syu shell develop use": {Network},
		"run exec x": {RunsCode}, "publish push upload release login": {Publishes, Network},
		"uninstall remove rm prune purge autoremove cache clean erase -R delete": {Destroys},
	})
}

func containerVerbs() map[string][]Danger {
	return verbs(map[string][]Danger{
		"ps images version info logs inspect top stats port events":            nil,
		"run exec build compose up start create restart cp attach buildx bake": {RunsCode, Outside},
		"pull search login": {Network}, "push": {Publishes, Network},
		"rm rmi prune system kill stop down volume network image container": {Destroys},
	})
}

func buildVerbs() map[string][]Danger {
	return verbs(map[string][]Danger{
		"test build all check lint compile verify package typecheck type-check format fmt vet unit unit-test integration-test coverage bench docs doc help --version -v version tests": nil,
		"": nil, "publish deploy push upload release dist": {Publishes, Network}, "install": {Network, Privileged}, "clean distclean mrproper": {Destroys},
		"restore update fetch": {Network}, "run exec start serve dev watch e2e migrate seed": {RunsCode},
	})
}
