package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"nebula/internal/lists"
)

// A repository is one without a work tree, that belongs to a job: nothing that runs in a checkout reaches it.
type repository struct{ dir string }

// guarded are the settings that every git runs with here: a repository may bring hooks, submodules and names of filters, and
// none of them runs.
var guarded = []string{
	"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.ext.allow=never", "-c", "submodule.recurse=false",
	"-c", "fetch.recurseSubmodules=false", "-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "commit.gpgSign=false",
	"-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.clean=", "-c", "filter.lfs.required=false", "-c", "init.defaultBranch=main",
}

// git runs it and gives what it prints. Where it fails the error ends with what it said.
func git(ctx context.Context, env []string, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", lists.Concat(guarded, args)...)
	cmd.Env = append(append(outside(), "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C", "GIT_ASKPASS=true"), env...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = 5 * time.Second
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return out.String(), fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(end(said.String(), 500)))
	}
	return out.String(), nil
}

// outside is the environment without what points git elsewhere.
func outside() []string {
	return lists.Drop(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "GIT_SSH") })
}

func end(text string, most int) string {
	if len(text) > most {
		return text[len(text)-most:]
	}
	return text
}

func (r repository) git(ctx context.Context, args ...string) (string, error) {
	out, err := git(ctx, nil, "", append([]string{"--git-dir=" + r.dir}, args...)...)
	return strings.TrimSpace(out), err
}

// made makes an empty one.
func made(ctx context.Context, dir string) (repository, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return repository{}, err
	}
	_, err := git(ctx, nil, "", "init", "-q", "--bare", "--template=", dir)
	return repository{dir}, err
}

// A Hub is where the commits of plans under way lie, for all workers: one repository at an address, or one for each source
// in a folder.
type Hub string

// Of is the repository for a source.
func (h Hub) Of(source string) string {
	if h.far() {
		return string(h)
	}
	sum := sha256.Sum256([]byte(source))
	return filepath.Join(string(h), hex.EncodeToString(sum[:8])+".git")
}

func (h Hub) far() bool { return strings.Contains(string(h), ":") && !filepath.IsAbs(string(h)) }

// ready makes the repository for a source where there is none.
func (h Hub) ready(ctx context.Context, source string) error {
	at := h.Of(source)
	if _, err := os.Stat(filepath.Join(at, "HEAD")); err == nil || h.far() {
		return nil
	}
	_, err := made(ctx, at) // making it twice makes it once
	return err
}

// kept is the name of a commit of a run in the hub.
func kept(run, commit string) string { return "refs/nebula/" + run + "/" + commit }

// put brings a commit to the hub, where it stays.
func (r repository) put(ctx context.Context, hub, run, commit string) error {
	_, err := r.git(ctx, "push", "-q", hub, commit+":"+kept(run, commit))
	return err
}

// get brings commits from the hub.
func (r repository) get(ctx context.Context, hub, run string, commits ...string) error {
	args := []string{"fetch", "-q", "--no-tags", hub}
	for _, c := range commits {
		args = append(args, kept(run, c)+":"+kept(run, c))
	}
	_, err := r.git(ctx, args...)
	return err
}

// identity is who commits. A commit whose time is given is the same each time that it is made.
func identity(at string) []string {
	const name, mail = "nebula", "nebula@localhost"
	return []string{"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + mail, "GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + mail,
		"GIT_AUTHOR_DATE=" + at, "GIT_COMMITTER_DATE=" + at}
}

// commit makes one of a tree.
func (r repository) commit(ctx context.Context, tree, message, at string, parents ...string) (string, error) {
	args := []string{"--git-dir=" + r.dir, "commit-tree", tree, "-F", "-"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	out, err := git(ctx, identity(at), message, args...)
	return strings.TrimSpace(out), err
}

// tree is what stands in a folder, without what the repository ignores, and without what lies in repositories of its own.
func (r repository) tree(ctx context.Context, base, work string, nested []string) (string, error) {
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(r.dir, "index.work"), "GIT_WORK_TREE=" + work}
	add := []string{"add", "-A", "--", "."}
	for _, dir := range nested {
		add = append(add, ":(top,exclude,literal)"+dir)
	}
	for _, args := range [][]string{{"read-tree", base}, add} {
		if _, err := gitIn(ctx, work, env, append([]string{"--git-dir=" + r.dir}, args...)...); err != nil {
			return "", err
		}
	}
	out, err := gitIn(ctx, work, env, "--git-dir="+r.dir, "write-tree")
	return strings.TrimSpace(out), err
}

// nested are the folders below one that are repositories of their own: no commit around them holds what is in them.
func nested(work string) (dirs []string, err error) {
	err = filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || d.Name() != ".git" {
			return err
		}
		if dir := filepath.Dir(path); dir != work {
			rel, err := filepath.Rel(work, dir)
			if err != nil {
				return err
			}
			dirs = append(dirs, filepath.ToSlash(rel))
		}
		return fs.SkipDir
	})
	return dirs, err
}

// gitIn runs it in a folder.
//
//go:noinline
func gitIn(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	return git(ctx, env, "", append([]string{"-C", dir}, args...)...)
}

// unfiltered is the environment in which no filter runs that a folder's settings name: a repository chooses them for its files.
func unfiltered(ctx context.Context, dir string) (env []string, err error) {
	names, err := gitIn(ctx, dir, nil, "config", "--list", "--name-only", "-z")
	n := 0
	for name := range strings.SplitSeq(names, "\x00") {
		if i := strings.LastIndexByte(name, '.'); i > 0 && strings.HasPrefix(name, "filter.") {
			value := ""
			if name[i:] == ".required" {
				value = "false"
			}
			env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
			n++
		}
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n)), err
}

// Address is a repository's address without what reaches it: a password, and the name of a login at a web address, which often is
// one. An order is stored and shown; whoever carries it out reaches the repository by git's own settings there.
func Address(source string) (bare string, held bool) {
	u, err := url.Parse(source)
	if err != nil || u.User == nil || u.Host == "" {
		return source, false
	}
	_, held = u.User.Password()
	switch web := strings.HasPrefix(u.Scheme, "http"); {
	case web:
		u.User, held = nil, true
	case held:
		u.User = url.User(u.User.Username())
	default:
		return source, false
	}
	return u.String(), held
}

// moment is when a commit was made.
//
//go:noinline
func (r repository) moment(ctx context.Context, commit string) (string, error) {
	return r.git(ctx, "show", "-s", "--format=%ct +0000", commit)
}
