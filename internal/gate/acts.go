package gate

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// An Act is something that a command does and that people have a word for: to commit, to push.
type Act struct {
	Name string
	By   string // the words of the command that do it, without its options

	Gone []string // what is deleted, told from the folder that the line begins in, where that is known; nil where it is not
	Own  []string // which of it the line names as what it writes: it is no loss where it is not there before
}

// An actor is a row: programs, what they do by which of their words, parted by |, and whether they do it only where more follows.
type actor struct {
	act, programs, words string
	more                 bool
}

const (
	registries = "npm pnpm yarn bun deno pip pip3 pipx uv poetry pdm pipenv rye hatch conda mamba go cargo gem bundle bundler composer cpan cpanm luarocks opam dotnet nuget mix pub dart flutter"
	systems    = "apt apt-get aptitude brew dnf yum apk pacman zypper snap flatpak winget choco scoop port"
	npmAdding  = "in|ins|inst|insta|instal|isnt|isnta|isntal|isntall" // as npm takes them for install
	adding     = "install|i|add|get|require|pip install|tool install|deps.get"
)

// actors are the commands of which their words alone tell what they do. What a script or a program of the project's does is not known.
var actors = []actor{
	{"commit", "git", "commit|commit-tree|am|cherry-pick|revert|merge|pull|rebase|subtree add|subtree merge|subtree pull|svn dcommit|fast-import|filter-branch|filter-repo|update-ref|quiltimport|p4 submit|notes add|notes append|notes edit|notes copy|notes merge|notes remove|notes prune|reflog expire|reflog delete|mktag|history reword|history split|subtree split|lfs migrate|svn rebase|svn fetch", false}, // where there is nothing to join they make none, which is known only afterwards
	{"commit", "hg svn jj sl bzr fossil", "commit|ci", false},
	{"push", "git hg jj sl bzr", "push|send-pack|http-push|subtree push|lfs push|svn dcommit|git push", false},
	{"push", "gh hub glab", "pr create|mr create|pr merge|mr merge|pull-request|release create|repo create|repo sync", false},
	{"request", "gh hub glab", "pr create|mr create|pull-request|pr new", false},
	{"merge", "git hg", "merge", false},
	{"merge", "gh glab", "pr merge|mr merge", false},
	{"rebase", "git hg", "rebase", false},
	{"stash", "git", "stash", false},
	{"reset", "git", "reset|restore|checkout .|read-tree|checkout-index", false},
	{"rename", "git hg svn", "mv|rename|move", false},
	{"tag", "git hg", "tag", true},
	{"branch", "git", "switch|worktree add|stash branch", false},
	{"branch", "git", "branch", true},
	{"publish", "npm pnpm yarn bun cargo poetry uv hatch flit pdm vsce ovsx gradle gradlew dart pub mix", "publish|npm publish|hex.publish", false},
	{"publish", "twine gem docker podman dotnet goreleaser gh glab", "upload|push|nuget push|release|release create", false},
	{"deploy", "vercel netlify fly flyctl firebase wrangler cdk serverless sls sam heroku gcloud mvn make just npm pnpm yarn", "deploy|run deploy|app deploy", false},
	{"deploy", "kubectl oc helm terraform tofu pulumi ansible-playbook", "apply|install|upgrade|rollout|up", false},
	{"install", registries, adding + "|ci|sync|restore|", false},
	{"install", "npm", npmAdding + "|install-test|it|clean-install|ic|install-clean|cit|install-ci-test|sit|link|ln|audit fix|dedupe|ddp", false},
	{"install", "npm pnpm yarn bun gem bundle bundler composer poetry pdm pipenv conda mamba pub", "update|up|upgrade|udpate|link|global require|global add|global update", false},
	{"install", "mix dotnet uv", "deps.update|tool update|workload install|workload update|pip sync|tool upgrade", false},
	{"install", "docker podman nerdctl helm vagrant krew ansible-galaxy terraform tofu playwright", "pull|image pull|compose pull|box add|install|collection install|role install|init", false},
	{"install", systems, "install|add|-S|-Sy|-Syu|upgrade|full-upgrade|dist-upgrade|build-dep|bundle|refresh|reinstall|localinstall", false},
	{"install", "npm pnpm yarn bun pipx uv", "exec|x|dlx|run-remote|tool run|create|init|innit", true},
	{"install", "pipx", "run", true},
	{"install", "rustup nvm pyenv rbenv sdk asdf mise volta corepack deno", "install|component add|target add|toolchain install|prepare|update|use|up|plugin add", false},
	{"install", "make gmake ninja just meson cmake scons", "install", false},
	{"dependency", registries, adding, true},
	{"dependency", "npm", npmAdding + "|link|ln", true},
	{"dependency", "composer yarn", "global require|global add", true},
}

// valued are the options of these programs that a value follows.
var valued = strings.Fields("-C -c -R --repo -r --requirement -e --editable --prefix --cwd --filter -w --workspace --git-dir --work-tree -m --message -F --file --port --host --ref")

// Acts are what a command line does that has a name, in order.
func Acts(line string) (list []Act) {
	r := read(line)
	for _, c := range r.calls {
		name, words := spoken(base(c.name), texts(c.args))
		if verb, ok := strings.CutPrefix(name, "git-"); ok {
			name, words = "git", append([]string{verb}, words...)
		}
		by := strings.Join(append([]string{name}, words...), " ")
		if tries(name, words, texts(c.args)) {
			continue
		}
		for _, a := range actors {
			if lists.Has(strings.Fields(a.programs), name) && a.does(words) && !(a.act == "commit" && withoutCommit(words, texts(c.args))) {
				list = append(list, Act{Name: a.act, By: by})
			}
		}
		if name == "git" && moves(words, texts(c.args)) {
			list = append(list, Act{Name: "commit", By: by})
		}
		if name == "git" && leavesBranch(words, texts(c.args)) {
			list = append(list, Act{Name: "branch", By: by})
		}
		if name == "mv" || name == "rename" {
			list = append(list, Act{Name: "rename", By: by})
		}
		if slices.ContainsFunc(runs(c), func(file string) bool { return deploys.In(file) }) || lists.Has(taskRunners, name) && slices.ContainsFunc(words, deploys.In) {
			list = append(list, Act{Name: "deploy", By: by})
		}
		if serves(name, words, texts(c.args)) || startsServer(c) {
			list = append(list, Act{Name: "serve", By: by})
		}
		if migrates(c, name, words, texts(c.args)) {
			list = append(list, Act{Name: "migrate", By: by})
		}
		if fetchesToRun(name, words, texts(c.args)) || r.pipesToShell(c) {
			list = append(list, Act{Name: "install", By: by})
		}
		if name == "git" && len(words) > 0 && !ownVerb(words[0]) {
			for _, act := range strings.Fields("commit push merge rebase stash tag") {
				list = append(list, Act{Name: act, By: by})
			}
		}
		if gone, ok := deleted(name, texts(c.args)); ok && len(gone) > 0 || name == "git" && takesAway(words, texts(c.args)) {
			list = append(list, r.deletes(c, by, gone))
		} else if gone := emptied(name, texts(c.args)); len(gone) > 0 {
			list = append(list, r.deletes(c, by, gone))
		}
		for _, o := range optioned {
			if name == "git" && len(words) > 0 && words[0] == o.verb && lists.Has(texts(c.args), o.option) {
				list = append(list, Act{Name: o.act, By: "git " + words[0] + " " + o.option})
			}
		}
	}
	if i := slices.IndexFunc(lists.Concat(r.filled(), r.gone(), r.emptied), refFile.In); i >= 0 {
		list = append(list, Act{Name: "commit", By: lists.Concat(r.filled(), r.gone(), r.emptied)[i]})
	}
	if len(r.emptied) > 0 {
		list = append(list, r.deletes(call{}, ": > "+strings.Join(r.emptied, " "), r.emptied))
	}
	if lists.Has(r.found, Network) {
		list = append(list, Act{Name: "network", By: strings.TrimSpace(strings.SplitN(line, "\n", 2)[0])})
	}
	return list
}

// deletes is a call that deletes files.
func (r *reading) deletes(c call, by string, gone []string) Act {
	a := Act{Name: "delete", By: by}
	if base(c.name) == "find" || base(c.name) == "git" || slices.ContainsFunc(c.args, func(w arg) bool { return !w.known }) || slices.ContainsFunc(r.calls, renames) {
		return a
	}
	wrote, at := r.filled(), workdir{at: c.into()}
	for _, w := range gone {
		w = path.Clean(at.from(w))
		a.Gone = append(a.Gone, w)
		if slices.ContainsFunc(wrote, func(o string) bool { return path.Clean(o) == w || strings.HasPrefix(path.Clean(o), w+"/") }) || w == freshFile || strings.HasPrefix(w, freshFile+"/") {
			a.Own = append(a.Own, w)
		}
	}
	return a
}

// emptied are the files of which a call leaves nothing by its words alone.
func emptied(name string, args []string) []string {
	switch {
	case name == "truncate" && slices.ContainsFunc(args, zero.In):
		return lists.Drop(operands(args, "-s --size -r --reference"), zero.In)
	case (name == "cp" || name == "install" || name == "dd") && slices.ContainsFunc(args, func(a string) bool { return a == "/dev/null" || a == "if=/dev/null" }):
		gone := changes(name, args)
		for i, w := range gone {
			gone[i] = strings.TrimPrefix(w, "of=")
		}
		return lists.Drop(gone, func(w string) bool { return w == "/dev/null" })
	}
	return nil
}

// zero is a size of nothing, as truncate takes it.
var zero = &lazy.Pattern{X: `^(?:-[a-z]*s|--size=|<|/)*0+[a-zA-Z]*$`}

// renames reports whether a call gives what is there another name, by which it could be deleted.
func renames(c call) bool {
	return lists.Has([]string{"mv", "rename", "ln", "mount"}, base(c.name)) || base(c.name) == "git" && lists.Has(texts(c.args), "mv")
}

// optioned are what an option of git's makes of a verb.
var optioned = [...]struct{ option, verb, act string }{{"--amend", "commit", "amend"}, {"--force", "push", "force"}, {"-f", "push", "force"}, {"--force-with-lease", "push", "force"}}

// taking is what git takes files away with: verbs, whether they have to follow, and options of which one has to be there, any where none is
// named. Of options of one letter each stands among others too.
var taking = [...]struct{ words, options string }{
	{"clean", ""}, {"sparse-checkout set|sparse-checkout add|sparse-checkout reapply|worktree remove|submodule deinit", ""},
	{"stash|stash push|stash save|stash drop|stash clear", ""}, // what is new to the index goes with what is new to git
	{"reset", "--hard --merge --keep"},
	{"checkout", "-f --force --no-overlay --orphan"}, {"switch", "-f --force --discard-changes --orphan"},
	{"restore", "-s --source -W --worktree"},
	{"read-tree", "-u --reset"},
}

// keeping are the verbs of git stash that take nothing away.
var keeping = strings.Fields("list show pop apply branch create store")

// takesAway reports whether git takes away files that it need not have kept.
func takesAway(words, args []string) bool {
	for _, t := range taking {
		i := slices.IndexFunc(strings.Split(t.words, "|"), func(verb string) bool {
			of := strings.Fields(verb)
			return len(words) >= len(of) && lists.Equal(of, words[:len(of)]) && (verb != "stash" || len(words) == 1 || !lists.Has(keeping, words[1]))
		})
		if i >= 0 && (t.options == "" || slices.ContainsFunc(strings.Fields(t.options), func(o string) bool { return slices.ContainsFunc(args, func(a string) bool { return option(a, o) }) })) {
			return true
		}
	}
	return false
}

// option reports whether an argument gives an option: with a value, cut short, or as one letter among others.
func option(arg, name string) bool {
	arg, _, _ = strings.Cut(arg, "=")
	if len(name) == 2 {
		return strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.Contains(arg, name[1:])
	}
	return len(arg) > 3 && strings.HasPrefix(name, arg)
}

// Unnamed stands before what runs a program that the line does not tell: it may be any.
const Unnamed = "? "

// Started are the programs that a command line runs, each with its words, wherever it stands.
func Started(line string) (list []Act) {
	r := read(line)
	for _, c := range r.calls {
		name, words := spoken(base(c.name), texts(c.args))
		list = append(list, Act{Name: "run", By: strings.Join(append([]string{name}, words...), " ")})
		if how := lists.Drop(texts(c.args), func(w string) bool { return !strings.HasPrefix(w, "-") }); len(how) > 0 { // a rule may be of its options
			list = append(list, Act{Name: "run", By: list[len(list)-1].By + " " + strings.Join(how, " ")})
		}
		if other, rest := behind(name, words); other != name {
			list = append(list, Act{Name: "run", By: strings.Join(append([]string{other}, rest...), " ")})
		}
		files := runs(c)
		if j := programs()[base(c.name)].judge; (j == "shell" || j == "interpreter") && operand(texts(c.args)) == "" { // it runs what it reads
			for _, o := range r.calls {
				files = append(files, texts(o.args)...)
			}
			files = append(files, r.taken...)
		}
		for _, file := range files {
			if file = path.Base(file); file != name && file != "." {
				list = append(list, Act{Name: "run", By: file})
			}
		}
		if r.runsUnknown(c) {
			list = append(list, Act{Name: "run", By: Unnamed + name})
		}
		for _, by := range lends(c) {
			list = append(list, Act{Name: "run", By: by})
		}
	}
	for _, w := range r.unnamed {
		list = append(list, Act{Name: "run", By: Unnamed + w})
	}
	return list
}

// taskRunners run what the project calls by a word.
var taskRunners = strings.Fields("make gmake just task rake npm pnpm yarn bun")

// deploys tells by its name a script that deploys.
var deploys = &lazy.Pattern{X: `(?i)^(?:[\w-]+[-_.:])?deploy(?:[-_.:]?(?:prod|production|staging|all|app|site))?(?:\.\w+)?$`}

// runs are the files that a call runs as a program, without their folders: itself, where it is a path, and what it gives a shell or an interpreter.
func runs(c call) (files []string) {
	name, args := base(c.name), texts(c.args)
	judge := programs()[name].judge
	switch {
	case strings.Contains(c.name, "/"):
		files = append(files, name)
	case name == "source" || name == ".", (judge == "shell" || judge == "interpreter") && !slices.ContainsFunc(args, func(a string) bool { return lists.Has(strings.Fields("-c -e -m -n --eval"), a) }):
		if file := operand(args); file != "" {
			files = append(files, path.Base(file))
		}
	}
	return files
}

// tries reports whether an option has a program only tell what it would do.
func tries(name string, words, args []string) bool {
	verb := strings.Join(words[:min(1, len(words))], "")
	for _, a := range slices.Backward(args) {
		switch {
		case a == "--no-dry-run" || a == "--dry-run=none" || a == "--dry-run=false":
			return false
		case a == "--dry-run" || strings.HasPrefix(a, "--dry-run="):
			return true
		}
		for _, t := range trying {
			if t.option == a && (lists.Has(t.of, name) || lists.Has(t.of, name+" "+verb)) {
				return true
			}
		}
	}
	return false
}

// trying are the options that do so, with the programs and verbs that they do it of.
var trying = [...]struct {
	option string
	of     []string
}{
	{"-n", []string{"git push", "git clean", "make", "gmake", "ninja"}}, {"-s", []string{"apt", "apt-get", "aptitude"}}, {"--simulate", []string{"apt", "apt-get", "aptitude"}},
	{"--just-print", []string{"make", "gmake"}}, {"--recon", []string{"make", "gmake"}},
}

// plainly are what git add and git commit are given where they do no more than that: no file that is ignored, no hook left out, no commit
// that was there made anew, and no settings.
var plainly = map[string]string{
	"add":    " -A --all -u --update -v --verbose -- ",
	"commit": " -m -am --message -a --all -q --quiet -qm -aqm -qam -v --verbose -s --signoff ",
}

// Commits reports whether a line does nothing but take files of the folder into its repository: git add and git commit, as they are.
func Commits(line string) bool {
	r := read(line)
	if len(r.calls) == 0 || len(r.wrote)+len(r.emptied)+len(r.vars) > 0 {
		return false
	}
	return !slices.ContainsFunc(r.calls, func(c call) bool {
		if c.name != "git" || c.at != "" && c.at != "." || len(c.args) == 0 || slices.ContainsFunc(c.args, func(a arg) bool { return !a.known }) {
			return true
		}
		options, words := plainly[c.args[0].text], silent("git", c.args)
		return options == "" || slices.ContainsFunc(texts(words[1:]), func(w string) bool {
			return strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--message=") && !strings.Contains(options, " "+w+" ")
		})
	})
}

// local are programs that projects bring themselves: npx runs what stands there.
var local = strings.Fields("jest vitest mocha ava tap tsc tsx ts-node eslint prettier stylelint biome playwright cypress vite webpack rollup esbuild next nuxt astro svelte-check vue-tsc nx turbo lerna husky lint-staged c8 nyc karma jasmine parcel swc oxlint tsup knip")

// fetchesToRun reports whether a program fetches another to run it, unless that is known to stand in the project.
func fetchesToRun(name string, words, args []string) bool {
	switch name {
	case "uvx":
		return len(words) > 0
	case "npx", "bunx", "pnpx":
		return len(words) > 0 && !lists.Has(local, words[0]) && !slices.ContainsFunc(args, func(a string) bool { return a == "--no-install" || a == "--no" || a == "--offline" })
	case "go":
		return len(words) > 1 && words[0] == "run" && strings.Contains(words[1], "@")
	case "cmake":
		return lists.Has(args, "--install")
	}
	return false
}

// pipesToShell reports whether a shell runs what the line fetches: curl … | sh.
func (r *reading) pipesToShell(c call) bool {
	p := programs()[base(c.name)]
	if p.judge != "shell" && p.judge != "interpreter" || !slices.ContainsFunc(r.calls, func(o call) bool { return lists.Has([]string{"curl", "wget", "fetch"}, base(o.name)) }) {
		return false
	}
	for i, a := range c.args {
		switch {
		case a.text == "-s" || a.text == "-":
			return true
		case a.text == "-c" && i+1 < len(c.args):
			return !c.args[i+1].known
		case !strings.HasPrefix(a.text, "-"):
			return !a.known
		}
	}
	return true
}

// ownVerb reports whether a word is one of git's own verbs: what else it takes is an alias, or a program that may do anything.
//
//go:noinline
func ownVerb(word string) bool {
	_, known := gitVerbs[word]
	return known || lists.Has(plumbing, word)
}

// plumbing are the verbs that [gitVerbs] has no row for.
var plumbing = strings.Fields("commit-tree commit-graph multi-pack-index pack-objects pack-refs unpack-objects index-pack verify-pack hash-object mktree mktag fetch-pack receive-pack upload-pack upload-archive http-push http-fetch column " +
	"check-mailmap check-ref-format fmt-merge-msg interpret-trailers mailinfo mailsplit merge-file merge-index merge-tree merge-one-file patch-id stripspace unpack-file get-tar-commit-id for-each-repo fsck diagnose bugreport fast-export " +
	"update-server-info subtree checkout-index read-tree write-tree ls-remote rev-list var gitk scalar refs history last-modified")

// does reports whether the words behind a program's name do the act.
func (a actor) does(words []string) bool {
	return slices.ContainsFunc(strings.Split(a.words, "|"), func(verb string) bool {
		of := strings.Fields(verb)
		if len(words) < len(of) || !lists.Equal(of, words[:len(of)]) || len(of) == 0 && len(words) > 0 {
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
		case lists.Has(valued, w):
			i++
		case !strings.HasPrefix(w, "-"), strings.HasPrefix(w, "-S"):
			words = append(words, w)
		}
	}
	return name, words
}
