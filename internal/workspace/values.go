package workspace

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/redact"
	"nebula/internal/steer"
)

// Bounds of what is read of files that hold secrets.
const (
	maxValues      = 256 << 10 // bytes of each
	maxSecretFiles = 200
	maxSecrets     = 1000
)

// Confidential are the files of the folders whose names say that they hold secrets, with all other names of theirs, each as it is told from its
// folder. What package managers fill is left out.
func (d *Dir) Confidential() []string {
	_, found := d.pins()
	var files []string
	for _, file := range found {
		for _, o := range append([]*Dir{d}, d.more...) {
			if rel, ok := strings.CutPrefix(file, o.real+"/"); ok && filepath.Base(rel) != ".envrc" && rel != ".git/config" && !strings.HasSuffix(rel, "/.git/config") {
				files = append(files, rel)
				break
			}
		}
	}
	return files
}

// Telling are the files with secrets of which it is asked whether a command opened them, as they are told from the folder.
func (d *Dir) Telling() []string {
	_, files := d.pins()
	return d.related(secretive(files))
}

// Kin is the name of a file with secrets that another path is a further name of (a hard link); "" where it is none, or itself is called so.
func (d *Dir) Kin(p string) string {
	e, err := d.Stat(p)
	if err != nil || e.Names < 2 || steer.Secret(e.Path) {
		return ""
	}
	_, files := d.pinsBy(false)
	for _, file := range files {
		if st, err := lstatPath(file); err == nil && st.same(e.stat) && steer.Secret(file) {
			return d.related([]string{file})[0]
		}
	}
	return ""
}

// related are files as they are told from the folder.
//
//go:noinline
func (d *Dir) related(files []string) (rel []string) {
	for _, file := range files {
		rel = append(rel, strings.TrimPrefix(file, d.real+"/"))
	}
	return rel
}

// tells reports whether a file gives programs secrets.
func tells(rel string) bool { return steer.Secret(rel) || filepath.Base(rel) == ".envrc" }

// gitsOwn are the files in which the person's own git settings stand, which git tells whoever asks.
func gitsOwn() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	return []string{filepath.Join(home, ".gitconfig"), filepath.Join(cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config")), "git", "config")}
}

// Values are the secrets that the folders' files tell as they are now.
func (d *Dir) Values() []string {
	_, files := d.pins()
	return values(files).secrets
}

// Redactor takes out what the folders' files tell as they are now, and more secrets.
func (d *Dir) Redactor(more ...string) redact.Redactor {
	_, files := d.pins()
	return values(files).redactor(more...)
}

// A disclosed is what files tell: all secrets, and those short ones that are no word that people use, which are looked for as words.
type disclosed struct{ secrets, words []string }

func (t disclosed) redactor(more ...string) redact.Redactor {
	return redact.New(lists.Concat(more, t.secrets)).Words(t.words)
}

// without is what is told less what another tells.
func (t disclosed) without(free disclosed) disclosed {
	return disclosed{
		lists.Drop(t.secrets, func(v string) bool { return lists.Has(free.secrets, v) }),
		lists.Drop(t.words, func(v string) bool { return lists.Has(free.secrets, v) || lists.Has(free.words, v) }),
	}
}

// values are what files tell: a program may use it, and what it prints is rid of it.
func values(files []string) (all disclosed) {
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxValues {
			continue
		}
		data, _ := os.ReadFile(file) // what cannot be read gives no program anything either
		all.secrets = append(all.secrets, toldBy(file, string(data))...)
		all.words = append(all.words, shortWords(file, string(data))...)
		if len(all.secrets) > maxSecrets {
			all.secrets = all.secrets[:maxSecrets]
			break
		}
	}
	all.words = all.words[:min(len(all.words), maxSecrets)]
	return all
}

// secretive are those of some files with secrets of which it is asked whether a command opened them: all but repositories' settings, which
// git opens each time, and what by its content holds none.
func secretive(files []string) (some []string) {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || strings.HasSuffix(file, "/.git/config") {
			continue
		}
		data, err := os.ReadFile(file)
		if info.Size() > maxValues || err != nil || len(toldBy(file, string(data))) > 0 || filepath.Base(file) != ".envrc" && !settings(string(data)) {
			some = append(some, file)
		}
	}
	return some
}

// settings reports whether a text has variables, remarks and what is public, and nothing else.
func settings(text string) bool {
	public := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		_, _, ok := variable(line)
		switch {
		case strings.HasPrefix(line, "-----BEGIN") && !strings.Contains(line, "PRIVATE"), strings.HasPrefix(line, "-----END"):
			public = strings.HasPrefix(line, "-----BEGIN")
		case !public && !ok && line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") && !strings.HasPrefix(line, "["):
			return false
		}
	}
	return !public && utf8.ValidString(text)
}

// toldBy are the secrets in a file's text: values of variables that are named or look like ones, what follows "password", and the
// lines of private keys.
func toldBy(file, text string) (secrets []string) {
	key := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "-----BEGIN") && strings.Contains(line, "PRIVATE KEY"):
			key = true
		case strings.HasPrefix(line, "-----END"):
			key = false
		case key:
			secrets = append(secrets, line)
			continue
		}
		secrets = append(secrets, shapes(line)...)
		if name, value, ok := variable(line); ok {
			found := doors(name, value)
			if secrets = append(secrets, found...); lists.Has(found, value) && !lists.Has(plainWords, strings.ToLower(value)) { // a short value is only found with its name
				secrets = append(secrets, line, name+"="+value)
			}
		}
		if words := strings.Fields(line); strings.HasSuffix(file, "netrc") {
			for i, w := range words[:max(len(words)-1, 0)] {
				if w == "password" {
					secrets = append(secrets, words[i+1], w+" "+words[i+1])
				}
			}
		}
	}
	for _, pair := range pairs.Re().FindAllStringSubmatch(text, maxSecrets) {
		for _, found := range doors(pair[1], pair[2]) {
			secrets = append(secrets, found, pair[0])
			secrets = append(secrets, strings.Split(found, `\n`)...)
		}
	}
	return secrets
}

// plainWords are values that are nobody's secret, whatever the variable is called.
var plainWords = strings.Fields("true false yes no on off none null 0 1")

// pairs are names with texts as they stand in JSON.
var pairs = &lazy.Pattern{X: `"([\w.-]+)"\s*:\s*"((?:[^"\\\n]|\\.)+)"`}

// shapes are the words of a line that look like keys.
func shapes(line string) (found []string) {
	if !keyShaped(line) {
		return nil
	}
	return lists.Drop(strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t=\"',;", c) }), func(w string) bool { return !keyShaped(w) })
}

// variable reads a line such as NAME=value, export NAME='value' or name: value.
func variable(line string) (name, value string, ok bool) {
	at := separator.Re().FindStringIndex(line)
	if at == nil || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") && !strings.Contains(line, ":_") {
		return "", "", false
	}
	name, value = strings.TrimPrefix(line[:at[0]], "export "), strings.TrimRight(line[at[1]:], ",; \t")
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return strings.Trim(name, ` "'`), value, value != ""
}

var separator = &lazy.Pattern{X: `\s*=\s*|\s*:\s+`}

// doors are what of a variable is secret: all of it by its name or shape, of an address the password, of a header what stands for one.
func doors(name, value string) []string {
	if secretName(name) || keyShaped(value) {
		return []string{value}
	}
	if m := header.Re().FindStringSubmatch(value); m != nil {
		return m[1:]
	}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		word, _ := u.User.Password()
		return []string{word}
	}
	return nil
}

var header = &lazy.Pattern{X: `(?i)\b(?:basic|bearer|token)\s+(\S{8,})$`}
