package gate

import (
	"slices"
	"strings"
)

// An Act is something that a command does and that people have a word for: to commit, to push.
type Act struct {
	Name string
	By   string // the words of the command that do it, without its options
}

// An actor is a row: programs, what they do by which of their words, parted by |, and whether they do it only where more follows.
type actor struct {
	act, programs, words string
	more                 bool
}

const (
	registries = "npm pnpm yarn bun deno pip pip3 pipx uv poetry pdm pipenv rye hatch conda mamba go cargo gem bundle bundler composer cpan cpanm luarocks opam dotnet nuget mix pub dart flutter"
	systems    = "apt apt-get aptitude brew dnf yum apk pacman zypper snap flatpak winget choco scoop port"
	adding     = "install|i|add|get|require|pip install|tool install|deps.get"
)

// actors are the commands of which their words alone tell what they do. What a script or a program of the project's does is not known.
var actors = []actor{
	{"commit", "git", "commit|commit-tree|am|cherry-pick|revert|merge|pull|rebase", false}, // where there is nothing to join they make none, which is known only afterwards
	{"commit", "hg svn jj sl bzr fossil", "commit|ci", false},
	{"push", "git hg jj sl bzr", "push|send-pack|git push", false},
	{"push", "gh hub glab", "pr create|mr create|pr merge|mr merge|pull-request|release create|repo create|repo sync", false},
	{"request", "gh hub glab", "pr create|mr create|pull-request|pr new", false},
	{"merge", "git hg", "merge", false},
	{"merge", "gh glab", "pr merge|mr merge", false},
	{"rebase", "git hg", "rebase", false},
	{"stash", "git", "stash", false},
	{"tag", "git hg", "tag", true},
	{"publish", "npm pnpm yarn bun cargo poetry uv hatch flit pdm vsce ovsx gradle gradlew dart pub mix", "publish|npm publish|hex.publish", false},
	{"publish", "twine gem docker podman dotnet goreleaser gh glab", "upload|push|nuget push|release|release create", false},
	{"deploy", "vercel netlify fly flyctl firebase wrangler cdk serverless sls sam heroku gcloud mvn make just npm pnpm yarn", "deploy|run deploy|app deploy", false},
	{"deploy", "kubectl oc helm terraform tofu pulumi ansible-playbook", "apply|install|upgrade|rollout|up", false},
	{"install", registries, adding + "|ci|sync|restore|", false},
	{"install", systems, "install|add|-S|-Sy|-Syu", false},
	{"dependency", registries, adding, true},
}

// valued are the options of these programs that a value follows.
var valued = strings.Fields("-C -c -R --repo -r --requirement -e --editable --prefix --cwd --filter -w --workspace --git-dir --work-tree -m --message -F --file")

// Acts are what a command line does that has a name, in order.
func Acts(line string) (list []Act) {
	r := read(line)
	for _, c := range r.calls {
		name, words := spoken(base(c.name), texts(c.args))
		for _, a := range actors {
			if slices.Contains(strings.Fields(a.programs), name) && a.does(words) {
				list = append(list, Act{a.act, strings.Join(append([]string{name}, words...), " ")})
			}
		}
		if gone, ok := deleted(name, texts(c.args)); ok && len(gone) > 0 || name == "git" && len(words) > 0 && words[0] == "clean" {
			list = append(list, Act{"delete", strings.Join(append([]string{name}, words...), " ")})
		}
		for option, act := range map[string]string{"--amend": "amend", "--force": "force", "-f": "force", "--force-with-lease": "force"} {
			if name == "git" && len(words) > 0 && words[0] == map[string]string{"amend": "commit", "force": "push"}[act] && slices.Contains(texts(c.args), option) {
				list = append(list, Act{act, "git " + words[0] + " " + option})
			}
		}
	}
	if slices.Contains(r.found, Network) {
		list = append(list, Act{"network", strings.TrimSpace(strings.SplitN(line, "\n", 2)[0])})
	}
	return list
}

// does reports whether the words behind a program's name do the act.
func (a actor) does(words []string) bool {
	return slices.ContainsFunc(strings.Split(a.words, "|"), func(verb string) bool {
		of := strings.Fields(verb)
		if len(words) < len(of) || !slices.Equal(of, words[:len(of)]) || len(of) == 0 && len(words) > 0 {
			return false
		}
		return !a.more || slices.ContainsFunc(words[len(of):], func(w string) bool { return w != "." })
	})
}

// spoken are a program and its words without options and what belongs to them. A module that Python runs is the program.
func spoken(name string, args []string) (string, []string) {
	if strings.HasPrefix(name, "python") && len(args) > 1 && args[0] == "-m" {
		name, args = args[1], args[2:]
	}
	var words []string
	for i := 0; i < len(args); i++ {
		switch w := args[i]; {
		case slices.Contains(valued, w):
			i++
		case !strings.HasPrefix(w, "-"), strings.HasPrefix(w, "-S"):
			words = append(words, w)
		}
	}
	return name, words
}
