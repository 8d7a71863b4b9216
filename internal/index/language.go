package index

import (
	"bytes"
	"path"
	"strings"
)

// A language is what the scanner has to know of one to find definitions in it.
type language struct {
	name      string
	line      []string          // what begins a comment that ends with the line
	block     [2]string         // what begins and ends a longer one
	quotes    string            // that begin and end strings
	long      []string          // quotes of strings of several lines
	shape     shape             // how the end of a definition is found
	words     map[string]string // the word that begins a definition → its kind
	modifiers map[string]bool   // words that may stand before it
	types     bool              // functions begin with their type: int f(…) {
	methods   bool              // methods begin with their name: f(…) {
	special   func(line string, depth int) (name, kind string)
}

// A shape is how a language shows where a definition ends.
type shape uint8

const (
	braces shape = iota
	indented
	ended // indented too, with a word or brace that ends it on a line of its own
	headed
)

// set makes a set of words.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// table reads "word=kind word=kind"; a word alone is its own kind.
func table(words string) map[string]string {
	m := map[string]string{}
	for w := range strings.FieldsSeq(words) {
		word, kind, ok := strings.Cut(w, "=")
		if !ok {
			kind = word
		}
		m[word] = kind
	}
	return m
}

// containers are the kinds whose own lines may hold methods.
var containers = set("class interface type struct trait impl module namespace object extension protocol enum record union service contract actor mixin")

const (
	cLine, cOpen, cClose = "//", "/*", "*/"
)

// languageOf knows a file's language by its name, or by its first line. It is nil for plain text.
func languageOf(name string, data []byte) *language {
	base := strings.ToLower(path.Base(name))
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if make, ok := languages[ext]; ok && ext != "" {
		return make()
	}
	switch base {
	case "rakefile", "gemfile", "podfile", "vagrantfile":
		return ruby()
	case "makefile", "gnumakefile":
		return makefile()
	case ".bashrc", ".profile", ".zshrc", ".bash_profile":
		return shell()
	}
	if ext == "" && bytes.HasPrefix(data, []byte("#!")) {
		first, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n"))
		for word, make := range interpreters {
			if bytes.Contains(first, []byte(word)) {
				return make()
			}
		}
	}
	return nil
}

var interpreters = map[string]func() *language{"python": python, "bash": shell, "/sh": shell, "zsh": shell, "node": script, "ruby": ruby, "perl": perl, "lua": lua}

var languages = map[string]func() *language{
	"go": golang,
	"js": script, "mjs": script, "cjs": script, "jsx": script, "ts": typed, "tsx": typed, "mts": typed, "cts": typed, "vue": typed, "svelte": typed,
	"py": python, "pyi": python, "pyw": python,
	"java": java, "kt": kotlin, "kts": kotlin, "scala": scala, "sc": scala, "groovy": java, "gradle": java,
	"c": c, "h": cpp, "cc": cpp, "cpp": cpp, "cxx": cpp, "hpp": cpp, "hh": cpp, "hxx": cpp, "m": cpp, "mm": cpp, "cu": cpp, "ino": cpp,
	"cs": csharp, "rs": rust, "swift": swift, "dart": dart, "php": php, "rb": ruby, "rake": ruby,
	"sh": shell, "bash": shell, "zsh": shell, "lua": lua, "pl": perl, "pm": perl, "ex": elixir, "exs": elixir,
	"zig": zig, "hs": haskell, "sql": sql, "proto": proto, "tf": terraform, "graphql": graphql, "gql": graphql,
	"md": markdown, "markdown": markdown, "rst": markdown, "mk": makefile, "jl": julia, "nim": nim, "css": css, "scss": css, "less": css,
	"r": rlang, "sol": solidity,
}

func golang() *language { return &language{name: "Go"} }

func script() *language {
	return &language{name: "JavaScript", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"'`, long: []string{"`"}, methods: true,
		words:     table("function=func function*=func class const let=var var"),
		modifiers: set("export default async declare static public private protected readonly abstract override get set accessor"), special: assigned}
}

func typed() *language {
	l := script()
	l.name = "TypeScript"
	for word, kind := range table("interface type enum namespace module=namespace") {
		l.words[word] = kind
	}
	return l
}

func python() *language {
	return &language{name: "Python", line: []string{"#"}, quotes: `"'`, long: []string{`"""`, `'''`}, shape: indented,
		words: table("def=func class"), modifiers: set("async"), special: topLevel}
}

func java() *language {
	return &language{name: "Java", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"'`, long: []string{`"""`}, types: true,
		words:     table("class interface enum record @interface=interface def=func"),
		modifiers: set("public private protected static final abstract sealed non-sealed strictfp synchronized native default transient volatile")}
}

func kotlin() *language {
	return &language{name: "Kotlin", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"'`, long: []string{`"""`},
		words: table("fun=func class interface object val=var var typealias=type"),
		modifiers: set("public private protected internal open abstract sealed final data enum annotation inner inline value override suspend operator infix " +
			"tailrec external const lateinit companion expect actual")}
}

func scala() *language {
	return &language{name: "Scala", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"`, long: []string{`"""`},
		words:     table("def=func class trait object val=var var type enum given=var"),
		modifiers: set("private protected override final sealed abstract implicit lazy case inline open transparent")}
}

func c() *language {
	return &language{name: "C", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"'`, types: true,
		words: table("struct enum union typedef=type"), modifiers: set("static extern inline const"), special: defined}
}

func cpp() *language {
	l := c()
	l.name = "C++"
	for word, kind := range table("class namespace @interface=interface @implementation=class @protocol=protocol") {
		l.words[word] = kind
	}
	for word := range set("public private protected virtual explicit friend constexpr consteval template export mutable public: private: protected:") {
		l.modifiers[word] = true
	}
	return l
}

func csharp() *language {
	return &language{name: "C#", line: []string{cLine, "#"}, block: [2]string{cOpen, cClose}, quotes: `"'`, long: []string{`"""`}, types: true,
		words: table("class interface struct enum record namespace delegate=type"),
		modifiers: set("public private protected internal static sealed abstract partial readonly virtual override async extern unsafe new const volatile " +
			"required file ref event")}
}

func rust() *language {
	return &language{name: "Rust", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"`,
		words:     table("fn=func struct enum union trait impl mod=module type const static=var macro_rules!=macro"),
		modifiers: set("pub pub(crate) pub(super) pub(self) async unsafe extern default")}
}

func swift() *language {
	return &language{name: "Swift", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"`, long: []string{`"""`},
		words: table("func class struct enum protocol extension actor typealias=type init=func let=const var"),
		modifiers: set("public private fileprivate internal open static final override mutating nonmutating lazy weak required convenience indirect " +
			"async nonisolated package")}
}

func dart() *language {
	return &language{name: "Dart", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"'`, long: []string{`"""`, `'''`}, types: true, methods: true,
		words:     table("class mixin enum extension typedef=type"),
		modifiers: set("abstract base final sealed interface static const late external factory covariant get set async")}
}

func php() *language {
	return &language{name: "PHP", line: []string{cLine, "#"}, block: [2]string{cOpen, cClose}, quotes: `"'`,
		words: table("function=func class interface trait enum namespace const"), modifiers: set("public private protected static final abstract readonly")}
}

func ruby() *language {
	return &language{name: "Ruby", line: []string{"#"}, quotes: `"'`, shape: ended,
		words: table("def=func class module"), modifiers: set("private protected public private_class_method"), special: topLevel}
}

func shell() *language {
	return &language{name: "Shell", line: []string{"#"}, quotes: `"'`, shape: ended, words: table("function=func"), special: shellFunction}
}

func lua() *language {
	return &language{name: "Lua", line: []string{"--"}, quotes: `"'`, shape: ended, words: table("function=func"), modifiers: set("local"), special: luaFunction}
}

func perl() *language {
	return &language{name: "Perl", line: []string{"#"}, quotes: `"`, shape: ended, words: table("sub=func package=module")}
}

func elixir() *language {
	return &language{name: "Elixir", line: []string{"#"}, quotes: `"`, long: []string{`"""`}, shape: ended,
		words: table("defmodule=module def=func defp=func defmacro=macro defmacrop=macro defprotocol=protocol defimpl=impl")}
}

func julia() *language {
	return &language{name: "Julia", line: []string{"#"}, quotes: `"`, long: []string{`"""`}, shape: ended,
		words: table("function=func struct module macro abstract=type"), modifiers: set("mutable export")}
}

func nim() *language {
	return &language{name: "Nim", line: []string{"#"}, quotes: `"`, long: []string{`"""`}, shape: indented,
		words: table("proc=func func method=func template=macro macro iterator=func")}
}

func zig() *language {
	return &language{name: "Zig", line: []string{cLine}, quotes: `"`, words: table("fn=func const var test=func"),
		modifiers: set("pub export extern inline threadlocal")}
}

func haskell() *language {
	return &language{name: "Haskell", line: []string{"--"}, block: [2]string{"{-", "-}"}, quotes: `"`, shape: indented,
		words: table("data=type newtype=type type class instance=impl module"), special: haskellSignature}
}

func sql() *language {
	return &language{name: "SQL", line: []string{"--"}, block: [2]string{cOpen, cClose}, quotes: `'`, shape: ended, special: sqlCreate}
}

func proto() *language {
	return &language{name: "Protocol Buffers", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"`,
		words: table("message=type service enum rpc=method")}
}

func graphql() *language {
	return &language{name: "GraphQL", line: []string{"#"}, quotes: `"`, long: []string{`"""`},
		words: table("type interface enum input=type union scalar=type query=func mutation=func fragment=type"), modifiers: set("extend")}
}

func terraform() *language {
	return &language{name: "Terraform", line: []string{"#", cLine}, block: [2]string{cOpen, cClose}, special: terraformBlock}
}

func solidity() *language {
	return &language{name: "Solidity", line: []string{cLine}, block: [2]string{cOpen, cClose}, quotes: `"'`,
		words: table("contract interface library=module struct enum function=func modifier=func event=type error=type"), modifiers: set("abstract")}
}

func rlang() *language {
	return &language{name: "R", line: []string{"#"}, quotes: `"'`, special: rFunction}
}

func markdown() *language { return &language{name: "Markdown", shape: headed} }

func makefile() *language {
	return &language{name: "Make", line: []string{"#"}, shape: indented, special: makeTarget}
}

func css() *language {
	return &language{name: "CSS", block: [2]string{cOpen, cClose}, quotes: `"'`, special: cssRule}
}
