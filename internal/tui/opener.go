package tui

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// An opener makes what the conversation names openable with a click: addresses, and places in files of the folder. What
// opens is what stands there. The zero opener makes nothing so.
type opener struct {
	on        bool
	host, dir string
}

func openerFor(env func(string) string, dir string) opener {
	if !terminal.Hyperlinks(env) {
		return opener{}
	}
	host, _ := os.Hostname() // without it a terminal takes the file for its own machine's
	return opener{true, host, dir}
}

// named finds addresses, and files with a line.
var named = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`https?://[!-~]+|[\w.~/+-]*[\w-]\.[A-Za-z]\w*:[0-9]+`)
})

// names are the addresses and the files with a line in a text, as stretches of it.
func names(text string) (all []stretch) {
	if !strings.Contains(text, ":") {
		return nil
	}
	for _, at := range named().FindAllStringIndex(text, -1) {
		name := strings.TrimRight(text[at[0]:at[1]], ".,;:!?'\"*_`>]}|")
		if !strings.Contains(name, "(") {
			name = strings.TrimRight(name, ").,;:!?'\"*_`")
		}
		if !strings.HasSuffix(name, "//") {
			all = append(all, stretch{at[0], at[0] + len(name)})
		}
	}
	return all
}

// hosts are the ends of names that are of machines, whose number is that of a port.
var hosts = []string{"com", "net", "org", "io", "dev", "local", "internal"}

// address is where a name leads.
func (o opener) address(name string) string {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return name
	}
	file, line, _ := strings.Cut(name, ":")
	if !strings.HasPrefix(o.dir, "/") || strings.HasPrefix(file, "~") || lists.Has(hosts, strings.TrimPrefix(path.Ext(file), ".")) {
		return ""
	}
	if file = path.Clean(file); !path.IsAbs(file) {
		file = path.Join(o.dir, file)
	}
	if rel, below := strings.CutPrefix(file, o.dir+"/"); !below || !texts()[strings.ToLower(path.Ext(file))] || gate.Full.Secret(rel) || !o.reads(file) {
		return ""
	}
	return (&url.URL{Scheme: "file", Host: o.host, Path: file, Fragment: line}).String()
}

// texts are the ends of files that a click opens to be read. What a desktop might run, or show with programs in it, is none of them.
var texts = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, end := range strings.Fields("go mod sum c h cc cpp cxx hpp hh m rs py pyi js jsx mjs cjs ts tsx vue svelte java kt kts scala groovy swift rb php pl pm lua r jl ex exs erl hs ml mli fs cs vb dart zig nim d el clj lisp scm " +
		"css scss less sql graphql proto json jsonl yaml yml toml ini cfg conf properties xml xsd csv tsv tex md markdown rst adoc txt text log diff patch txtar tf cmake gradle mk lock") {
		all["."+end] = true
	}
	return all
})

// reads reports whether a file of the folder is a plain one that nobody can run and that stands where its name says.
func (o opener) reads(file string) bool {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0 {
		return false
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false
	}
	dir, err := filepath.EvalSymlinks(o.dir)
	return err == nil && strings.HasPrefix(real, dir+"/") && strings.TrimPrefix(real, dir) == strings.TrimPrefix(file, o.dir)
}

// point makes the names in a block's rows openable. A name that is broken at the end of a row opens as the whole. What is
// decided on stands as it is.
func (o opener) point(rows []string, b *block) []string {
	if !o.on || b.row.Kind == transcript.Act && b.row.Action.Asked {
		return rows
	}
	whole := map[string]bool{}
	for _, text := range b.texts() {
		for _, at := range names(text) {
			whole[text[at.from:at.to]] = true
		}
	}
	if len(whole) == 0 {
		return rows
	}
	name, rest := "", "" // what a row ended in, and how that goes on
	for i, row := range rows {
		plain := terminal.Unpainted(row)
		var marks []stretch
		var to []string
		put := func(from, until int, name string) {
			if address := o.address(name); address != "" {
				marks, to = append(marks, stretch{from, until}), append(to, address)
			}
		}
		if lead := len(plain) - len(strings.TrimLeft(plain, " ")); rest != "" {
			part := rest[:min(len(rest), len(strings.TrimRight(plain, " "))-min(lead, len(strings.TrimRight(plain, " "))))]
			if part != "" && strings.HasPrefix(plain[lead:], part) {
				put(lead, lead+len(part), name)
				rest = rest[len(part):]
			} else {
				rest = ""
			}
		}
		for _, at := range names(plain) {
			if len(marks) > 0 && at.from < marks[len(marks)-1].to {
				continue
			}
			if found := plain[at.from:at.to]; whole[found] {
				put(at.from, at.to, found)
			} else if at.to == len(strings.TrimRight(plain, " ")) {
				for w := range whole {
					if after, ok := strings.CutPrefix(w, found); ok && i+1 < len(rows) && continues(terminal.Unpainted(rows[i+1]), after) {
						name, rest = w, after
						put(at.from, at.to, w)
						break
					}
				}
			}
		}
		rows[i] = fasten(row, marks, to)
	}
	return rows
}

// continues reports whether a row goes on with the rest of a name, as far as it goes.
func continues(row, rest string) bool {
	row = strings.TrimSpace(row)
	return row != "" && (strings.HasPrefix(row, rest) || strings.HasPrefix(rest, row))
}

// fasten puts links around stretches of a painted row.
func fasten(painted string, marks []stretch, to []string) string {
	if len(marks) == 0 {
		return painted
	}
	var b, inside strings.Builder
	at := 0
	for painted != "" {
		if seq := terminal.SGR(painted); seq != "" {
			if len(marks) > 0 && at > marks[0].from {
				inside.WriteString(seq)
			} else {
				b.WriteString(seq)
			}
			painted = painted[len(seq):]
			continue
		}
		if len(marks) > 0 && at >= marks[0].from {
			inside.WriteByte(painted[0])
		} else {
			b.WriteByte(painted[0])
		}
		painted, at = painted[1:], at+1
		if len(marks) > 0 && at == marks[0].to {
			b.WriteString(terminal.Hyperlink(to[0], inside.String()))
			inside.Reset()
			marks, to = marks[1:], to[1:]
		}
	}
	return b.String() + inside.String()
}
