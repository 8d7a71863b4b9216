package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// expected is the file, beside the places of all folders' views, that remembers what [Dir.CanView] found: a line for each of the
// last circumstances.
const (
	expected       = "viewable"
	expectedAtMost = 16
)

// ExpectsView tells whether commands will run on a view, for who only has to say so: what a nebula found before is
// taken as long as nothing that it depends on has changed, since trying takes ten times as long as starting. A command
// itself always goes by [Dir.CanView]. It is found out once: it is asked with every request.
func (d *Dir) ExpectsView() bool { return d.boxes.on && d.boxes.expected() }

func (d *Dir) expectView() bool {
	kept := d.boxes.place.Kept
	if len(d.more) > 0 || kept == "" {
		return d.CanView() == nil
	}
	path, sign := filepath.Join(filepath.Dir(kept), expected), circumstances(d.Path(), kept)
	if sign != "" && d.boxes.place.Weaker {
		sign += "-"
	}
	said, _ := os.ReadFile(path) // not there: nothing was found yet
	lines := strings.Fields(string(said))
	for _, can := range []bool{true, false} {
		if sign != "" && lists.Has(lines, sign+strconv.FormatBool(can)) {
			return can
		}
	}
	can := d.CanView() == nil
	if sign != "" && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		lines = append(lines[max(0, len(lines)-expectedAtMost+1):], sign+strconv.FormatBool(can))
		_ = os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600) // else it is tried again
	}
	return can
}

// circumstances are what decides whether there are views of a folder, in one word: this start of the system, its mounts and
// switches, where the paths are mounted, this program and its user. Empty where the system does not tell.
func circumstances(paths ...string) string {
	program, err := os.Stat("/proc/self/exe")
	if err != nil {
		return ""
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	all := fmt.Sprintln(os.Getuid(), program.Size(), program.ModTime(), string(boot), string(mounts))
	for _, path := range paths {
		all += mounted(string(mounts), path) + "\n"
	}
	for _, name := range []string{"user/max_user_namespaces", "kernel/unprivileged_userns_clone", "kernel/apparmor_restrict_unprivileged_userns"} {
		told, _ := os.ReadFile("/proc/sys/" + name) // not every kernel has each
		all += string(told)
	}
	return nebula.Hash([]byte(all))
}

// mounted is where the file system of a path is mounted, as /proc/self/mountinfo has it.
func mounted(mounts, path string) (at string) {
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line)
		if len(fields) < 5 || len(fields[4]) < len(at) {
			continue
		}
		if point := strings.TrimSuffix(fields[4], "/"); path == point || strings.HasPrefix(path, point+"/") {
			at = fields[4]
		}
	}
	return at
}
