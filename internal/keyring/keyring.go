// Package keyring keeps providers' keys for the person: in the system's key ring, or where there is none in a file that only
// they can read. The file also says which keys are in the ring, so that nobody asks the ring who has none there.
//
// It does not keep keys from what else runs as the person: the system's ring gives them to whatever they started.
package keyring

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"maps"

	"github.com/zalando/go-keyring"

	"nebula"
)

// service is the name under which the ring has keys.
const service = "nebula"

// patience is how long a ring may take: it may ask the person to open it.
const patience = 30 * time.Second

// ErrSlow is a ring that gives no answer.
var ErrSlow = nebula.Errorf("the key ring gives no answer")

// An entry says where a provider's key is.
type entry struct {
	Ring bool   `json:"ring,omitempty"`
	Key  string `json:"key,omitempty"` // where it is not in the ring
}

// A Keeper keeps keys. Its file is made with the first one.
type Keeper struct{ File string }

// Providers are those that it has keys of.
func (k Keeper) Providers() ([]string, error) {
	all, err := k.read()
	return slices.Sorted(maps.Keys(all)), err
}

// Key is a provider's; empty where there is none.
func (k Keeper) Key(provider string) (string, error) {
	all, err := k.read()
	if err != nil || !all[provider].Ring {
		return all[provider].Key, err
	}
	return waited(func() (string, error) { return keyring.Get(service, provider) })
}

// Keep keeps a provider's key, and says whether the ring has it.
func (k Keeper) Keep(provider, key string) (inRing bool, err error) {
	all, err := k.read()
	if err != nil {
		return false, err
	}
	e := entry{Key: key}
	if reachable() {
		if _, err := waited(func() (string, error) { return "", keyring.Set(service, provider, key) }); err == nil {
			e = entry{Ring: true}
		}
	}
	all[provider] = e
	return e.Ring, k.write(all)
}

// Forget takes a provider's key away, and says whether there was one.
func (k Keeper) Forget(provider string) (was bool, err error) {
	all, err := k.read()
	e, was := all[provider]
	if err != nil || !was {
		return false, err
	}
	if e.Ring {
		_, err := waited(func() (string, error) { return "", keyring.Delete(service, provider) })
		if err != nil && !errors.Is(err, keyring.ErrNotFound) {
			return true, err
		}
	}
	delete(all, provider)
	return true, k.write(all)
}

// reachable reports whether the system may have a ring. Without a session's bus one would be started only to ask for it.
func reachable() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	_, err := os.Stat(filepath.Join(dir, "bus"))
	return dir != "" && err == nil
}

// waited is what the ring answers, if it does in time.
func waited(ask func() (string, error)) (string, error) {
	type answer struct {
		key string
		err error
	}
	came := make(chan answer, 1)
	go func() {
		key, err := ask()
		came <- answer{key, err}
	}()
	select {
	case a := <-came:
		return a.key, a.err
	case <-time.After(patience):
		return "", ErrSlow
	}
}

func (k Keeper) read() (map[string]entry, error) {
	all := map[string]entry{}
	data, err := os.ReadFile(k.File)
	if errors.Is(err, os.ErrNotExist) {
		return all, nil
	}
	if err == nil && json.Unmarshal(data, &all) != nil { // what it holds is not told
		err = errors.New("it is not JSON")
	}
	if err != nil {
		return nil, nebula.Errorf("the keys in %s cannot be read (%v); remove the file and log in again", k.File, err)
	}
	return all, nil
}

// write replaces the file as a whole, or not at all. With nothing in it there is none.
func (k Keeper) write(all map[string]entry) (err error) {
	defer func() {
		if err != nil {
			err = nebula.Errorf("%s cannot be written (%v)", k.File, err)
		}
	}()
	if len(all) == 0 {
		return os.Remove(k.File)
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(k.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".keys-*.json") // for its owner only
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(data, '\n'))
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), k.File)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
