package confine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"nebula"

	"golang.org/x/sys/unix"
)

// NewView makes a view of a folder; what is changed in it goes below at, which is a new folder, not in it.
func NewView(folder, at string) (View, error) {
	v := View{Lower: folder, Upper: filepath.Join(at, "changed"), Work: filepath.Join(at, "work")}
	if err := stackable(folder); err != nil {
		return View{}, err
	}
	if err := errors.Join(os.Mkdir(at, 0o700), os.Mkdir(v.Upper, 0o700), os.Mkdir(v.Work, 0o700)); err != nil {
		return View{}, err
	}
	var st unix.Stat_t
	if err := unix.Stat(v.Work, &st); err != nil {
		return View{}, err
	}
	v.Since = st.Ctim.Nano() // by the clock that the folder's times come from
	return v, v.dress()
}

// dress gives the folder of changes what the view shows of the folder itself.
func (v View) dress() error {
	var st unix.Stat_t
	if err := unix.Stat(v.Lower, &st); err != nil {
		return err
	}
	if err := unix.Chown(v.Upper, int(st.Uid), int(st.Gid)); err != nil {
		return nebula.Errorf("the folder belongs to others: %w", err)
	}
	if err := unix.Chmod(v.Upper, st.Mode&0o7777); err != nil {
		return err
	}
	for name, value := range extended(v.Lower) {
		_ = unix.Setxattr(v.Upper, name, value, 0) // what cannot be had there does not change either
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, v.Upper, []unix.Timespec{{Nsec: unix.UTIME_OMIT}, st.Mtim}, 0)
}

// extended are the attributes of a folder that its entries inherit or that are its own.
func extended(path string) map[string][]byte {
	list := make([]byte, 4096)
	n, err := unix.Listxattr(path, list)
	if err != nil {
		return nil
	}
	found := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list[:n]), "\x00"), "\x00") {
		if strings.HasPrefix(name, mark) || !strings.HasPrefix(name, "user.") && !strings.HasPrefix(name, "system.posix_acl_") {
			continue
		}
		value := make([]byte, 4096)
		if n, err := unix.Getxattr(path, name, value); err == nil {
			found[name] = value[:n]
		}
	}
	return found
}

// mark begins the attributes in which the kernel keeps what a layer means, see the kernel's overlayfs documentation.
const mark = "user.overlay."

// File systems that are not looked through: others change them, or they tell too little. See statfs(2).
var unsteady = map[int64]string{
	unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", unix.CIFS_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB",
	unix.FUSE_SUPER_MAGIC: "FUSE", unix.V9FS_MAGIC: "9P", unix.CEPH_SUPER_MAGIC: "Ceph", unix.AFS_SUPER_MAGIC: "AFS", unix.CODA_SUPER_MAGIC: "Coda",
	unix.ECRYPTFS_SUPER_MAGIC: "eCryptfs", unix.MSDOS_SUPER_MAGIC: "FAT", unix.EXFAT_SUPER_MAGIC: "exFAT",
}

// stackable reports why there can be no view of a folder, as far as that can be told without trying.
func stackable(folder string) error {
	var fs unix.Statfs_t
	if err := unix.Statfs(folder, &fs); err != nil {
		return err
	}
	if name := unsteady[int64(fs.Type)]; name != "" { //nolint:unconvert // narrower on other architectures
		return nebula.Errorf("the folder is on a file system of the kind %s", name)
	}
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 4 {
			if at := unescaped(fields[4]); at != folder && within(at, folder) {
				return nebula.Errorf("other file systems are mounted in the folder")
			}
		}
	}
	return nil
}

// unescaped is a path of /proc/self/mountinfo, which has some characters as octal numbers.
func unescaped(s string) string {
	for i := strings.IndexByte(s, '\\'); i >= 0 && i+4 <= len(s); {
		if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
			s = s[:i] + string([]byte{byte(n)}) + s[i+4:]
		}
		next := strings.IndexByte(s[i+1:], '\\')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return s
}

// over is the view itself.
func (v View) over() (tree, error) {
	options := map[string]string{"lowerdir+": v.Lower, "upperdir": v.Upper, "workdir": v.Work}
	t, err := fresh("overlay", options, 0, "userxattr", "volatile") // what is kept is brought onto the disk then
	if err == nil {
		return t, nil
	}
	if strings.ContainsAny(v.Lower+v.Upper+v.Work, `:,\`) { // which Linux before 6.8 cannot be told
		return -1, err
	}
	delete(options, "lowerdir+")
	options["lowerdir"] = v.Lower
	if t, again := fresh("overlay", options, 0, "userxattr"); again == nil {
		return t, nil
	}
	return -1, err
}

// viewWord is the argument that makes nebula write into a view that is tried.
const viewWord = "write-view"

// Try reports whether a command can be given the view: an error says what the kernel or the file systems refuse. What it
// writes is in the view, which is to be removed then. As with [Probe], another process tries.
func (v View) Try() error {
	described, err := json.Marshal(v)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.Background(), "/proc/self/exe", probeWord, string(described))
	cmd.Args[0], cmd.Env = "nebula", []string{"GOMAXPROCS=1"}
	said, err := cmd.Output()
	if text := strings.TrimSpace(string(said)); err != nil && text != "" {
		err = errors.New(text)
	}
	if err != nil {
		return nebula.Errorf("the system gives no view of it: %w", err)
	}
	return nil
}

func tryView(described string) error {
	var v View
	if err := json.Unmarshal([]byte(described), &v); err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	r, err := Prepare(false)
	if err != nil {
		return err
	}
	defer func() { _, _ = syscall.Wait4(r.Pid, nil, 0, nil) }()
	fd, sign := int(null.Fd()), filepath.Join(v.Lower, ".nebula-"+filepath.Base(filepath.Dir(v.Upper)))
	running, err := r.Start(Box{Folder: v.Lower, Views: []View{v}, Weaker: true}, Command{Path: "/proc/self/exe", Args: []string{"nebula", viewWord, sign}, Dir: v.Lower}, []int{fd, fd, fd})
	if err != nil {
		return err
	}
	end, whole := running.Ended()
	if _, err := os.Lstat(filepath.Join(v.Upper, filepath.Base(sign), "it")); err != nil || !whole || end.Status != 0 {
		return errors.New("what is written in it is not kept apart")
	}
	return nil
}

// signed makes a folder in a view that is tried: in vain where the kernel made the view to be read only, or keeps no marks.
func signed(path string) error {
	return errors.Join(os.Mkdir(path+".gone", 0o700), os.Remove(path+".gone"), os.Mkdir(path, 0o700), os.WriteFile(path+"/in", []byte("in"), 0o600), os.Rename(path+"/in", path+"/it"))
}

// Changed tells where the view differs from its folder, a folder before what is below it. The command and everything that
// it started has ended. What nobody may read is opened to be read, in the view.
//
//go:noinline
func (v View) Changed() (all []Entry, err error) {
	err = v.walk(".", &all, 0)
	return all, err
}

const deepest = 4096

func (v View) walk(rel string, all *[]Entry, depth int) error {
	full := filepath.Join(v.Upper, rel)
	var st unix.Stat_t
	if err := unix.Lstat(full, &st); err != nil {
		return &fs.PathError{Op: "lstat", Path: full, Err: err}
	}
	if st.Mode&unix.S_IFMT == unix.S_IFCHR && st.Rdev == 0 {
		*all = append(*all, Entry{Path: rel, Gone: true})
		return nil
	}
	info, err := os.Lstat(full)
	if err != nil {
		return err
	}
	e := Entry{Path: rel, Mode: info.Mode(), Was: rel == "." || has(full, mark+"origin")}
	*all = append(*all, e)
	switch need := fs.FileMode(0o400); {
	case info.IsDir():
		need = 0o700
		fallthrough
	case info.Mode().IsRegular():
		if info.Mode()&need != need {
			if err := os.Chmod(full, info.Mode()|need); err != nil {
				return err
			}
		}
	}
	if !info.IsDir() {
		return nil
	}
	if depth > deepest {
		return fmt.Errorf("%s: too deep", rel)
	}
	return v.folder(rel, full, all, depth)
}

func (v View) folder(rel, full string, all *[]Entry, depth int) error {
	entries, err := os.ReadDir(full)
	if err != nil {
		return err
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.Name()] = true
		if err := v.walk(path.Join(rel, e.Name()), all, depth+1); err != nil {
			return err
		}
	}
	if value, _ := attribute(full, mark+"opaque"); value != "y" {
		return nil
	}
	below, _ := os.ReadDir(filepath.Join(v.Lower, rel)) // none where it is no folder there
	for _, e := range below {
		if !there[e.Name()] {
			*all = append(*all, Entry{Path: path.Join(rel, e.Name()), Gone: true})
		}
	}
	return nil
}

func has(path, name string) bool {
	_, ok := attribute(path, name)
	return ok
}

func attribute(path, name string) (string, bool) {
	value := make([]byte, 256)
	n, err := unix.Lgetxattr(path, name, value)
	return string(value[:max(n, 0)]), err == nil
}

// Remove takes the view away, with what was changed in it.
func (v View) Remove() error {
	at := filepath.Dir(v.Upper)
	if err := os.RemoveAll(at); err == nil {
		return nil
	}
	_ = filepath.WalkDir(at, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(path, 0o700) // what is in a folder that may not be changed could not be taken out
		}
		return nil
	})
	return os.RemoveAll(at)
}
