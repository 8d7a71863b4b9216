package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"aead.dev/minisign"
)

// A release is one version on its way.
type release struct {
	root, dist, work string
	url              string
	version, commit  string
	when             time.Time // of the commit: the time of every file
	targets          []target
	signer           *minisign.PrivateKey
	made             []string // names in dist, in the order in which they were made
}

func begin(dist, url, version string, targets []target) (*release, error) {
	r := &release{dist: dist, url: url, version: version, targets: targets}
	for into, ask := range map[*string][]string{
		&r.root:   {"rev-parse", "--show-toplevel"},
		&r.commit: {"rev-parse", "HEAD"},
	} {
		said, err := exec.Command("git", ask...).Output()
		if err != nil {
			return nil, errNoCommit
		}
		*into = strings.TrimSpace(string(said))
	}
	seconds, err := r.git("log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, err
	}
	r.when = time.Unix(n, 0).UTC()
	if r.version == "" {
		tag, err := r.git("describe", "--tags", "--exact-match", "--match", "v*")
		if err != nil { // not a version but what lies between two
			tag = "v0.0.0-" + r.when.Format("20060102150405") + "-" + r.commit[:12]
		}
		r.version = strings.TrimPrefix(tag, "v")
	}
	if changed, err := r.git("status", "--porcelain"); err != nil || changed != "" {
		return nil, fmt.Errorf("what is not committed would be in it: %s %v", changed, err)
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return nil, err
	}
	r.work, err = os.MkdirTemp("", "release")
	return r, err
}

func (r *release) git(args ...string) (string, error) {
	said, err := exec.Command("git", append([]string{"-C", r.root}, args...)...).Output()
	return strings.TrimSpace(string(said)), err
}

// built is the binary of a target.
func (r *release) built(t target) string { return filepath.Join(r.work, t.os+"-"+t.arch, t.binary()) }

// build makes the binaries. Their bytes depend on the commit, the version, the address and the key alone.
func (r *release) build() error {
	flags := "-s -w -buildid= -X nebula/internal/cli.released=" + r.version
	if r.url != "" && r.signer != nil {
		public := r.signer.Public().(minisign.PublicKey)
		flags += " -X nebula/internal/cli.releases=" + r.url + " -X nebula/internal/cli.releaseKey=" + public.String()
	}
	for _, t := range r.targets {
		if err := os.MkdirAll(filepath.Dir(r.built(t)), 0o755); err != nil {
			return err
		}
		c := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags="+flags, "-o", filepath.Dir(r.built(t))+"/", "./cmd/nebula", "./cmd/nebula-fleet")
		c.Dir, c.Stderr = r.root, os.Stderr
		c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=-mod=readonly", "GOWORK=off")
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}

// described are the files that go with every binary, made by one that runs here.
var described = map[string][]string{
	"nebula.1":    {"man"},
	"nebula.bash": {"completion", "bash"},
	"nebula.zsh":  {"completion", "zsh"},
	"nebula.fish": {"completion", "fish"},
	"nebula.ps1":  {"completion", "powershell"},
}

func (r *release) describe() error {
	own := target{os: runtime.GOOS, arch: runtime.GOARCH}
	binary := r.built(own)
	if _, err := os.Stat(binary); err != nil {
		only := *r
		only.targets = []target{own}
		if err := only.build(); err != nil {
			return err
		}
	}
	for name, args := range described {
		c := exec.Command(binary, args...)
		c.Env = []string{"HOME=" + r.work, "LANG=C", "PATH=" + os.Getenv("PATH"), "SOURCE_DATE_EPOCH=" + strconv.FormatInt(r.when.Unix(), 10)}
		said, err := c.Output()
		if err != nil || len(bytes.TrimSpace(said)) == 0 {
			return fmt.Errorf("nebula %s: %w", strings.Join(args, " "), err)
		}
		if err := os.WriteFile(filepath.Join(r.work, name), said, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file of the release.
func (r *release) put(name string, content []byte, mode os.FileMode) error {
	r.made = append(r.made, name)
	return os.WriteFile(filepath.Join(r.dist, name), content, mode)
}
