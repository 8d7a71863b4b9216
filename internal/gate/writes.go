package gate

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Writes reports whether a command line may change a file that it names and that fits: it writes to it by its name, or it is given it and
// changes files, or is code that does. Each name is told from the folder that the line has come to by then. What holds takes a folder or a
// pattern of the line's that it takes away, moves or brings to what it was, whole. What a program of its own does with a name is not known
// beforehand, nor held against it; nor is what only reads.
func Writes(line string, fits, holds func(path string) bool) bool {
	r := read(line)
	if slices.ContainsFunc(r.wrote, func(w string) bool { return slices.ContainsFunc(braced(w), fits) }) || slices.ContainsFunc(r.gone(), func(w string) bool { return fits(w) || holds(w) }) {
		return true
	}
	loose := codeWrites.In(line) // what it is given is known only when it runs
	for _, c := range r.calls {
		name := base(c.name)
		if !c.alters() { // with some options it may write what it otherwise reads
			p, known := programs()[name]
			loose = loose || known && p.judge == "" && p.other != nil && slices.ContainsFunc(texts(c.args), p.other.In)
			continue
		}
		at := workdir{at: c.into()}
		for _, w := range changes(name, texts(c.args)) {
			if slices.ContainsFunc(braced(w), func(w string) bool { return fits(at.from(w)) }) || slices.ContainsFunc(strings.FieldsFunc(w, parting), func(w string) bool { return fits(at.from(w)) }) {
				return true
			}
		}
		loose = loose || lists.Has(feeders, name) || slices.ContainsFunc(c.args, func(a arg) bool { return !a.known })
	}
	return (loose || lists.Has(r.found, Unreadable)) && slices.ContainsFunc(strings.FieldsFunc(line, parting), fits)
}

// Written are the files that a line names as what it writes, moves or takes away, told from the folder that it begins in: no others of its
// words, as what alone may change is known by what is not it.
func Written(line string) (list []string) {
	r := read(line)
	return surely(append(r.filled(), r.gone()...))
}

// blindly are programs that tell nothing of what stands in the files that they are given.
var blindly = strings.Fields("echo printf ls stat touch test [ mkdir rmdir rm chmod chown cd true false : which type du")

// Opened are the words of a line by which it may come to what stands in a file, those in code among them, told from the folder it begins in.
func Opened(line string) (list []string) {
	r := read(line)
	for _, c := range r.calls {
		if lists.Has(blindly, base(c.name)) {
			continue
		}
		at, git := workdir{at: c.into()}, base(c.name) == "git"
		for _, a := range texts(c.args) {
			if git && !strings.HasPrefix(a, "-") {
				list = append(list, fromTop(a)...)
			}
			for _, w := range append(strings.FieldsFunc(a, parting), a) {
				if w = w[len(ahead.For(w).FindString(w)):]; !strings.HasPrefix(w, "-") {
					list = append(list, braced(at.from(w))...)
				}
			}
		}
	}
	list = append(list, r.taken...)
	if lists.Has(r.found, Unreadable) {
		list = append(list, strings.FieldsFunc(line, parting)...)
	}
	return list
}

// ahead is what stands ahead of a file that a program reads what it is told from: gcc @file, curl -d @file, an address of this machine.
var ahead = &lazy.Pattern{X: `(?i)^(?:[-\w]*@|file://(?:localhost|127\.0\.0\.1)?)`}

// fromTop are the files that a word of git's can name, which tells paths of a commit's from the top of the repository, wherever it runs: the
// folder, or one that the folder is in.
func fromTop(word string) []string {
	_, file, of := strings.Cut(word, ":")
	if !of {
		return []string{word}
	}
	list := []string{strings.TrimPrefix(file, "/")}
	for of {
		if _, file, of = strings.Cut(file, "/"); of {
			list = append(list, file)
		}
	}
	return list
}

// filled are the files that a line names as what it writes, without those that it moves or takes away.
func (r *reading) filled() (list []string) {
	for _, w := range r.wrote {
		list = append(list, braced(w)...)
	}
	for _, c := range r.calls {
		name, args, at := base(c.name), texts(c.args), workdir{at: c.into()}
		for _, row := range writers {
			if lists.Has(strings.Fields(row.programs), name) {
				for _, w := range row.of(name, args) {
					list = append(list, at.from(strings.TrimPrefix(w, "of=")))
				}
			}
		}
	}
	return list
}

// surely are those of some names that are names for sure.
func surely(list []string) []string {
	return lists.Drop(list, func(w string) bool { return strings.ContainsAny(w, wild+"$") })
}

// writers are programs whose words tell for sure what they write.
var writers = []struct {
	programs string
	of       func(name string, args []string) []string
}{
	{"cp install ln mv ditto dd zip", changes},
	{"tee touch truncate patch sponge dos2unix unix2dos ed", func(_ string, args []string) []string { return operands(args, "-s --size -r --reference -d --date -t") }},
	{"sed gsed perl", func(_ string, args []string) []string {
		if !slices.ContainsFunc(args, func(a string) bool { return inPlace.In(a) }) {
			return nil
		}
		files := operands(args, "-e -f --expression --file -l")
		if len(files) > 0 && !slices.ContainsFunc(args, func(a string) bool { return bringsScript.In(a) }) {
			files = files[1:]
		}
		return files
	}},
}

var (
	inPlace      = &lazy.Pattern{X: `^-[a-zA-Z]*i|^--in-place`}
	bringsScript = &lazy.Pattern{X: `^-[a-zA-Z]*[ef]|^--(?:expression|file)`} // what sed or perl do
)

// operands are words that are no options, nor the values of those that take one.
func operands(args []string, valued string) (list []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case strings.HasPrefix(args[i], "-") && lists.Has(strings.Fields(valued), args[i]):
			i++
		case bringsScript.In(args[i]) && strings.Contains(valued, "-e") && !strings.HasPrefix(args[i], "--"): // -pie
			i++
		case !strings.HasPrefix(args[i], "-"):
			list = append(list, args[i])
		}
	}
	return list
}

// feeders run others with what they read or find.
var feeders = strings.Fields("xargs gxargs parallel find gfind")

// parting reports whether a character parts the words of a line, or of code in it.
func parting(c rune) bool { return strings.ContainsRune(" \t\n'\"`=<>|&;:,(){}", c) }

// codeWrites is how code that stands in a line itself changes files.
var codeWrites = &lazy.Pattern{X: `\bopen\s*\([^)]*,\s*(?:mode\s*=\s*)?['"][rb]*[wax+]|\.(?:write_text|write_bytes|unlink|rename|replace|touch)\s*\(|\bos\.(?:remove|unlink|rename|truncate)|\bshutil\.|` +
	`\b(?:writeFile|appendFile|unlink|rm|rename|copyFile|truncate)(?:Sync)?\s*\(|\bFile\.(?:write|delete|rename|open)|\b(?:perl|ruby)\b[^;|&]*?\s-[a-z]*i` +
	`|\bawk\b.*\bprintf?\b[^;|}]*>|\bg?sed\b[^;|&]*['"/;\s\d]w\s`}

// alters reports whether a program changes files that it is given.
func (c call) alters() bool {
	p := programs()[base(c.name)]
	return p.writes && p.judge == "" && !p.unknown || slices.ContainsFunc(c.found, func(d Danger) bool { return d == Alters || d == Destroys || d == Empties })
}

// into is the folder that a program works in: where it runs, or where an option leads it.
func (c call) into() string {
	p := workdir{at: c.at}
	args := texts(c.args)
	if lists.Has([]string{"git", "make", "gmake", "tar"}, base(c.name)) {
		if base(c.name) == "git" {
			args, _, _ = aroundVerb(args) // behind its verb a -C is another thing
		}
		for i, a := range args {
			if a == "-C" && i+1 < len(args) {
				p.at = p.from(args[i+1])
			}
		}
	}
	return p.at
}

// writings are programs that change some of what they are given: where that stands, beside the options that name it.
var writings = []struct {
	programs, options string
	from              func(operands []string) []string
}{
	{"cp install ln scp rsync mv ditto", "-t --target-directory", func(all []string) []string { return all[max(0, len(all)-1):] }},
	{"dd", "", func(all []string) []string {
		return lists.Drop(all, func(w string) bool { return !strings.HasPrefix(w, "of=") })
	}},
	{"zip", "", func(all []string) []string { return all[:min(1, len(all))] }},
	{"split csplit mkdir", "", func([]string) []string { return nil }},
	{"gofmt goimports gofumpt rustfmt shfmt prettier black isort clang-format", "", nil},
}

// changes are the words of a program that name what it changes.
func changes(name string, args []string) []string {
	if name == "tar" && len(args) > 0 && strings.Contains(strings.TrimPrefix(args[0], "--"), "c") && !strings.HasPrefix(args[0], "-C") {
		if i := slices.IndexFunc(args, func(w string) bool { return !strings.Contains(w, "=") && strings.HasSuffix(w, "f") }); i >= 0 && i+1 < len(args) {
			return args[i+1 : i+2]
		}
		return nil
	}
	if name == "git" { // what it takes from its own store is told by [rewound]
		if _, words := spoken(name, args); len(words) < 3 || words[0] != "mv" {
			return nil
		}
		return args[len(args)-1:]
	}
	for _, row := range writings {
		if !lists.Has(strings.Fields(row.programs), name) {
			continue
		}
		if row.from == nil { // it shows with these, and writes without
			if slices.ContainsFunc(args, func(w string) bool {
				return lists.Has([]string{"-l", "-d", "--check", "--diff", "--list-different", "-c", "--dry-run"}, w)
			}) {
				return nil
			}
			return args
		}
		var operands []string
		for i, w := range args {
			option, value, joined := strings.Cut(w, "=")
			switch {
			case lists.Has(strings.Fields(row.options), option) && joined:
				return []string{value}
			case lists.Has(strings.Fields(row.options), w) && i+1 < len(args):
				return args[i+1 : i+2]
			case !strings.HasPrefix(w, "-"):
				operands = append(operands, w)
			}
		}
		to := row.from(operands)
		if len(to) == 1 && len(operands) > 1 && path.Clean(to[0]) == "." { // into this folder
			for _, from := range operands[:len(operands)-1] {
				to = append(to, path.Base(from))
			}
		}
		return to
	}
	return args
}

// gone are what the programs of a line take away, move, or bring to what it was.
func (r *reading) gone() (list []string) {
	for _, c := range r.calls {
		name, args := base(c.name), texts(c.args)
		var of []string
		if files, ok := deleted(name, args); ok && name != "find" {
			of = files
		}
		name, words := spoken(name, args)
		switch {
		case name == "git" && len(words) > 0:
			of = append(of, rewound(words, args)...)
		case name == "mv" && len(words) > 1:
			of = append(of, words[:len(words)-1]...)
		}
		at := workdir{at: c.into()}
		for _, w := range of {
			if w == tree && !strings.HasPrefix(at.at, "/") {
				list = append(list, ".")
			} else {
				list = append(list, at.from(w))
			}
		}
	}
	return list
}

// tree stands for all that a repository holds, wherever in it a program runs.
const tree = ":/"

// ofHistory is a name that git has for what was, and people for no branch.
var ofHistory = &lazy.Pattern{X: `^(?:\S+[~^]\d*|\S*@\{.*\}|[0-9a-f]{7,40})$`}

// rewound are the files that git moves or brings to what they were, by its words and options.
func rewound(words, args []string) []string {
	verb, rest := words[0], words[1:]
	given := func(options ...string) bool {
		return slices.ContainsFunc(args, func(w string) bool { return lists.Has(options, w) })
	}
	if i := slices.Index(args, "--"); i >= 0 && lists.Has([]string{"checkout", "restore", "reset", "stash"}, verb) && i+1 < len(args) {
		rest = args[i+1:]
	}
	switch verb {
	case "mv":
		return rest[:max(0, len(rest)-1)]
	case "clean":
		if given("-n", "--dry-run") {
			return nil
		}
		return append(lists.Clone(rest), ".")[:1]
	case "reset":
		if given("--hard", "--merge", "--keep") {
			return []string{tree}
		}
	case "restore":
		if !given("--staged", "-S") || given("--worktree", "-W") {
			return rest
		}
	case "checkout", "switch":
		if given("-f", "--force", "--discard-changes") || len(rest) > 0 && !given("--", "-b", "-B", "-c", "-C", "--orphan") && ofHistory.In(rest[0]) {
			return append([]string{tree}, rest...)
		}
		if verb == "checkout" && !given("-b", "-B", "--orphan") {
			return rest
		}
	case "stash":
		if len(rest) == 0 || rest[0] == "push" && len(rest) == 1 || rest[0] == "save" {
			return []string{tree}
		}
		if given("--") || rest[0] == "push" {
			return rest
		}
	}
	return nil
}
