package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"nebula"
	"nebula/internal/lists"
)

// Home says where nebula's own files are: settings, record and logs.
type Home struct {
	Settings string // the folder of config.json
	Record   string // the folder of nebula.db
	State    string // the folder of logs
	Why      string // what decided: NEBULA_HOME, ~/.nebula or XDG
}

// FindHome decides where nebula's files are, and creates nothing. $NEBULA_HOME wins. Else ~/.nebula, when it exists.
// Else each kind of file goes where its XDG variable says, when that is set to an absolute path, and to ~/.nebula
// when it is not. Where one of them belongs to another user, the error is an [OwnerError].
func FindHome(env Env) (Home, error) {
	h, err := placed(env)
	if err == nil {
		if o := h.strange(os.Geteuid()); o != nil && !o.Root {
			err = o
		}
	}
	return h, err
}

func placed(env Env) (Home, error) {
	if dir := env("NEBULA_HOME"); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return Home{}, nebula.Errorf("NEBULA_HOME %s: %w; set it to an absolute path", dir, err)
		}
		return Home{abs, abs, abs, "NEBULA_HOME"}, nil
	}
	user := env("HOME")
	if user == "" {
		user = env("USERPROFILE")
	}
	own := filepath.Join(user, ".nebula")
	if user != "" {
		if info, err := os.Stat(own); err == nil && info.IsDir() {
			return Home{own, own, own, "~/.nebula"}, nil
		}
	}
	h := Home{xdg(env, "XDG_CONFIG_HOME"), xdg(env, "XDG_DATA_HOME"), xdg(env, "XDG_STATE_HOME"), "XDG"}
	if user == "" && (h.Settings == "" || h.Record == "" || h.State == "") {
		return Home{}, errors.New("no home folder: HOME is not set; set NEBULA_HOME to the folder for nebula's files")
	}
	if h.Settings == "" && h.Record == "" && h.State == "" {
		h.Why = "~/.nebula"
	}
	for _, p := range []*string{&h.Settings, &h.Record, &h.State} {
		if *p == "" {
			*p = own
		}
	}
	return h, nil
}

func xdg(env Env, name string) string {
	dir := env(name)
	if !filepath.IsAbs(dir) { // the XDG specification has relative paths ignored
		return ""
	}
	return filepath.Join(dir, "nebula")
}

// File is the settings file.
//
//go:noinline
func (h Home) File() string { return filepath.Join(h.Settings, "config.json") }

// Keys is the file of the keys that were kept at a login, and of which are in the system's key ring.
//
//go:noinline
func (h Home) Keys() string { return filepath.Join(h.Settings, "keys.json") }

// Logins is the file of what was kept at logins at servers, as Keys is of keys. It changes by itself, when a login is renewed.
//
//go:noinline
func (h Home) Logins() string { return filepath.Join(h.Settings, "logins.json") }

// Trust is the file in which it is kept what a person agreed to of what folders bring.
//
//go:noinline
func (h Home) Trust() string { return filepath.Join(h.Settings, "trust.json") }

// Rules is the file of what the person allowed in folders from then on.
//
//go:noinline
func (h Home) Rules() string { return filepath.Join(h.Settings, "rules.json") }

// Held is the folder in which is noted, while commands run, what the settings are.
//
//go:noinline
func (h Home) Held() string { return filepath.Join(h.Settings, "held") }

// Guarded are the files that give rights, or keep them back: the settings, those that would be read in their place if they
// were there, and a folder's own; none for "".
func (h Home) Guarded(env Env, dir string) []string {
	files := []string{h.File(), h.Trust(), h.Keys(), h.Rules()}
	if dir != "" {
		files = append(files, ProjectFile(dir))
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if user := env(name); filepath.IsAbs(user) {
			files = append(files, filepath.Join(user, ".nebula", "config.json"))
		}
	}
	slices.Sort(files)
	return lists.Compact(files)
}

// Guards reports whether a file is one that is guarded, in whichever folder.
func (h Home) Guards(env Env, file string) bool {
	return lists.Has(h.Guarded(env, ""), file) || file == ProjectFile(filepath.Dir(filepath.Dir(file)))
}

// Database is the record's file.
//
//go:noinline
func (h Home) Database() string { return filepath.Join(h.Record, "nebula.db") }

// Heads is the folder in which the ends of sessions are noted down beside the record.
//
//go:noinline
func (h Home) Heads() string { return filepath.Join(h.State, "heads") }

// Holds is the folder of nebula's own that another is, or lies in; "" where it is none of them.
func (h Home) Holds(dir string) string {
	for _, own := range []string{h.Settings, h.Record, h.State} {
		real, err := filepath.EvalSymlinks(own)
		if err != nil {
			continue // it is not there
		}
		if rel, err := filepath.Rel(real, dir); err == nil && filepath.IsLocal(rel) {
			return own
		}
	}
	return ""
}

// Make creates the folder of the record, for its owner only.
func (h Home) Make() error { return makePrivate(h.Record) }

func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nebula.Errorf("folder %s: %w; make it writable or set NEBULA_HOME to another folder", dir, cause(err))
	}
	return nil
}

// cause strips the operation and path that a message has already.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
