package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"nebula"
)

// expected is the file, beside the folder's views, that remembers what [Dir.CanView] found.
const expected = "%viewable"

// ExpectsView tells whether commands will run on a view, for who only has to say so: what the last nebula found here is
// taken as long as nothing that it depends on has changed, since trying takes ten times as long as starting. A command
// itself always goes by [Dir.CanView].
func (d *Dir) ExpectsView() bool {
	if !d.boxes.on || len(d.more) > 0 || d.boxes.place.Kept == "" {
		return d.CanView() == nil
	}
	path, sign := filepath.Join(d.boxes.place.Kept, expected), circumstances()
	if said, err := os.ReadFile(path); err == nil && sign != "" {
		if rest, ok := strings.CutPrefix(string(said), sign+" "); ok {
			return rest == strconv.FormatBool(true)
		}
	}
	can := d.CanView() == nil
	if sign != "" && os.MkdirAll(d.boxes.place.Kept, 0o700) == nil {
		_ = os.WriteFile(path, []byte(sign+" "+strconv.FormatBool(can)), 0o600) // else it is tried again
	}
	return can
}

// circumstances are what decides whether there are views, in one word: this start of the system, its mounts and switches, this
// program and its user. Empty where the system does not tell.
func circumstances() string {
	program, err := os.Stat("/proc/self/exe")
	if err != nil {
		return ""
	}
	all := fmt.Sprintln(os.Getuid(), program.Size(), program.ModTime())
	for _, name := range []string{"/proc/sys/kernel/random/boot_id", "/proc/self/mountinfo"} {
		told, err := os.ReadFile(name)
		if err != nil {
			return ""
		}
		all += string(told)
	}
	for _, name := range []string{"user/max_user_namespaces", "kernel/unprivileged_userns_clone", "kernel/apparmor_restrict_unprivileged_userns"} {
		told, _ := os.ReadFile("/proc/sys/" + name) // not every kernel has each
		all += string(told)
	}
	return nebula.Hash([]byte(all))
}
