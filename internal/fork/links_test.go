package fork_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula/internal/fork"
)

// tree is all that stands below a folder, as text by its path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[rel] = info.Mode().String()
		if link, err := os.Readlink(path); err == nil {
			all[rel] += " -> " + link
		} else if !d.IsDir() {
			all[rel] += " " + read(dir, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// mess does something to a folder, or nothing: never through a link that leads out of it.
func mess(r *rand.Rand, dir, outside string, n int) string {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err.Error()
	}
	defer root.Close()
	some := func() string {
		names := []string{"a", "b", "c"}
		path := names[r.IntN(3)]
		for range r.IntN(3) {
			path += "/" + names[r.IntN(3)]
		}
		return path
	}
	to, at := []string{outside, outside + "/a", "a", "b", "../b", ".", "nowhere"}[r.IntN(7)], some()
	switch r.IntN(7) {
	case 0, 1, 2:
		_ = root.MkdirAll(filepath.Dir(at), 0o755)
		return fmt.Sprint("write ", at, root.WriteFile(at, fmt.Appendf(nil, "%d\n", n), 0o644))
	case 3:
		return fmt.Sprint("remove ", at, root.RemoveAll(at))
	case 4:
		return fmt.Sprint("remove and link ", at, " ", to, root.RemoveAll(at), root.Symlink(to, at))
	case 5:
		from := some()
		return fmt.Sprint("rename ", from, " ", at, root.Rename(from, at))
	}
	return fmt.Sprint("mkdir ", at, root.MkdirAll(at, 0o755))
}

// Whatever the folder and the fork were made to be, with links in both to anywhere: bringing one into the other touches
// nothing outside, loses no file of the fork's own, and leaves nothing to be brought.
func TestBringingFollowsNoLink(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 50
	}
	for seed := range seeds {
		r, top := rand.New(rand.NewPCG(seed, 1)), t.TempDir()
		dir, outside := filepath.Join(top, "dir"), filepath.Join(top, "outside")
		for _, path := range []string{"a", "b/a", "b/b", "c/a", "c/b/a"} {
			put(t, outside, path, "precious\n")
			put(t, dir, path, "common\n")
		}
		var script []string
		for n := range r.IntN(4) {
			script = append(script, "first: "+mess(r, dir, outside, n))
		}
		f, err := fork.Make(t.Context(), dir, filepath.Join(top, "fork"))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		precious := tree(t, outside)
		for round := range 2 {
			before := tree(t, f.Work())
			for n := range 1 + r.IntN(6) {
				script = append(script, "folder: "+mess(r, dir, outside, 1000*round+100+n), "fork: "+mess(r, f.Work(), outside, 1000*round+200+n))
			}
			own := tree(t, f.Work())
			maps.DeleteFunc(own, func(rel, is string) bool { return is == before[rel] || !strings.HasPrefix(is, "-") })
			b, err := f.Bring(t.Context(), dir)
			told := fmt.Sprintf("seed %d, round %d: %+v\n%s", seed, round, b, strings.Join(script, "\n"))
			if err != nil {
				t.Fatalf("%v: %s", err, told)
			}
			if now := tree(t, outside); !maps.Equal(now, precious) {
				t.Fatalf("outside is %q: %s", now, told)
			}
			now := tree(t, f.Work())
			for rel, is := range own {
				if text := strings.TrimSpace(is[strings.Index(is, " "):]); !strings.Contains(now[rel], text) {
					t.Fatalf("%s was %q and is %q: %s", rel, is, now[rel], told)
				}
			}
			if b, err := f.Bring(t.Context(), dir); err != nil || len(b.Paths) > 0 {
				t.Fatalf("once more: %+v, %v: %s", b, err, told)
			}
			if base := tree(t, filepath.Join(top, "fork", "base")); !maps.Equal(base, tree(t, dir)) {
				t.Fatalf("it is compared with %q: %s", base, told)
			}
		}
	}
}

// A folder that became a link: what was in it goes before the link comes, and what only the fork has in it stays there, to be
// settled.
func TestFolderThatBecameALink(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, path := range []string{"cfg/.bashrc", "cfg/sub/a", "own/a", "own/mine"} {
		put(t, dir, path, "1\n")
		put(t, outside, filepath.Base(path), "precious\n")
		put(t, outside, strings.TrimPrefix(path, "cfg/"), "precious\n")
	}
	f, err := fork.Make(t.Context(), dir, filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, f.Work(), "own/mine", "changed\n")
	put(t, f.Work(), "own/new", "new\n")
	precious := tree(t, outside)
	for _, name := range []string{"cfg", "own"} {
		path := filepath.Join(dir, name)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, path); err != nil {
			t.Fatal(err)
		}
	}
	b, err := f.Bring(t.Context(), dir)
	if err != nil || !slices.Equal(b.Conflicts, []string{"own", "own/mine"}) {
		t.Errorf("%+v, %v", b, err)
	}
	if now := tree(t, outside); !maps.Equal(now, precious) {
		t.Errorf("outside is %q", now)
	}
	if link, err := os.Readlink(filepath.Join(f.Work(), "cfg")); link != outside {
		t.Errorf("cfg is %q, %v", link, err)
	}
	if read(f.Work(), "own/mine") != "changed\n" || read(f.Work(), "own/new") != "new\n" || read(f.Work(), "own/a") != "<none>" {
		t.Errorf("the fork's own are %q", tree(t, f.Work()))
	}
}
