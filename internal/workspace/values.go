package workspace

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// maxValues bounds what is read of a file that gives programs their variables.
const maxValues = 256 << 10

// values are the secrets that files such as .env at the top of the folders give to programs: a program may use them, and what
// it prints is rid of them.
func (d *Dir) values() (secrets []string) {
	for _, o := range append([]*Dir{d}, d.more...) {
		entries, _ := os.ReadDir(o.Path()) // what cannot be looked at gives no program its variables either
		for _, e := range entries {
			file := filepath.Join(o.Path(), e.Name())
			if !strings.HasPrefix(e.Name(), ".env.") && !strings.HasSuffix(e.Name(), ".env") {
				continue
			}
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxValues {
				continue
			}
			data, _ := os.ReadFile(file)
			for l := range strings.Lines(string(data)) {
				if name, value, ok := variable(l); ok && confidential(name, value) {
					secrets = append(secrets, value)
				}
			}
		}
	}
	return secrets
}

// variable reads a line of such a file.
func variable(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
	value = strings.TrimSpace(value)
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return strings.TrimSpace(name), value, ok && !strings.HasPrefix(name, "#")
}

// confidential reports whether a variable is a secret: by its name, by its shape, or since it is an address with a password.
func confidential(name, value string) bool {
	if secretName(name) || keyShaped(value) {
		return true
	}
	u, err := url.Parse(value)
	if err != nil || u.User == nil {
		return false
	}
	_, has := u.User.Password()
	return has
}
