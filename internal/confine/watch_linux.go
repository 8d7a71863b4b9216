package confine

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"nebula/internal/lists"
)

// glance is how often a box is looked at while a command runs. A command that ends sooner costs nothing.
const glance = 150 * time.Millisecond

// watch ends everything in the box when it uses more than it may, and says of what.
func (b Box) watch(exceeded chan<- Exceeded) {
	disks := b.disks()
	for range time.Tick(glance) {
		var over Exceeded
		switch {
		case b.Limits.Memory > 0 && heavy(b.Limits.Memory):
			over = Memory
		case slices.ContainsFunc(disks, disk.full):
			over = Disk
		default:
			continue
		}
		exceeded <- over
		_ = unix.Kill(-1, unix.SIGKILL)
		return
	}
}

// A disk is one that a command may write to, and how much of it must stay free.
type disk struct {
	path  string
	floor uint64
}

// disks are those of the folders that may be changed. One that was nearly full already may lose half of what is left.
func (b Box) disks() (all []disk) {
	var seen []unix.Fsid
	for _, path := range b.changed() {
		var st unix.Statfs_t
		if b.Limits.Free == 0 || path == "/dev" || unix.Statfs(path, &st) != nil || st.Blocks == 0 || lists.Has(seen, st.Fsid) {
			continue
		}
		seen = append(seen, st.Fsid)
		all = append(all, disk{path, min(b.Limits.Free, free(st)/2)})
	}
	return all
}

// Machine is how much memory there is for all programs here.
func Machine() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	most := info.Totalram * uint64(info.Unit)
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} { // of a container
		data, _ := os.ReadFile(file)
		if n, err := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 64); err == nil {
			most = min(most, n)
		}
	}
	return most
}

func free(st unix.Statfs_t) uint64 { return st.Bavail * uint64(st.Bsize) }

func (d disk) full() bool {
	var st unix.Statfs_t
	return unix.Statfs(d.path, &st) == nil && free(st) < d.floor
}

// heavy reports whether the processes of the box have more memory for themselves than they may. What they share is counted
// as often as it is shared at first, which is quickly done, and once where that seems too much.
func heavy(limit uint64) bool {
	pids := company()
	var sum uint64
	for _, pid := range pids {
		data, _ := os.ReadFile("/proc/" + pid + "/statm") // size, resident and shared pages, see proc_pid_statm(5)
		if f := strings.Fields(string(data)); len(f) > 2 {
			resident, _ := strconv.ParseUint(f[1], 10, 64)
			shared, _ := strconv.ParseUint(f[2], 10, 64)
			sum += (resident - min(shared, resident)) * uint64(os.Getpagesize())
		}
	}
	if sum <= limit {
		return false
	}
	sum = 0
	for _, pid := range pids {
		sum += proportional(pid)
	}
	return sum > limit
}

// proportional is what a process has for itself, with its part of what it shares with others; see proc_pid_smaps(5).
func proportional(pid string) uint64 {
	data, _ := os.ReadFile("/proc/" + pid + "/smaps_rollup")
	for l := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(l, "Pss_Anon:"); ok {
			n, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}
