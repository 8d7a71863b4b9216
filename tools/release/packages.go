package main

import (
	"bytes"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

const (
	summary  = "A coding agent for the terminal, with any language model"
	homeless = "https://example.invalid/nebula" // where no address was given
)

func (r *release) home() string {
	if r.url == "" {
		return homeless
	}
	return r.url
}

// systemPackages are made for Linux' package managers.
func (r *release) systemPackages() error {
	for _, t := range r.targets {
		if t.os != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm", "apk"} {
			info := nfpm.WithDefaults(&nfpm.Info{
				Name: "nebula", Arch: t.arch, Platform: "linux", Version: r.version, Section: "devel", Priority: "optional",
				Maintainer: "nebula contributors <nebula@example.invalid>", Vendor: "nebula contributors", Description: summary,
				Homepage: r.home(), License: "MIT", MTime: r.when,
				Overridables: nfpm.Overridables{Contents: r.installed(t)},
			})
			packager, err := nfpm.Get(format)
			if err != nil {
				return err
			}
			info.Target = packager.ConventionalFileName(info)
			var out bytes.Buffer
			if err := packager.Package(info, &out); err != nil {
				return err
			}
			if err := r.put(filepath.Base(info.Target), out.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// installed are a package's files.
func (r *release) installed(t target) (all files.Contents) {
	for _, f := range []struct {
		from, to string
		mode     uint32
	}{
		{r.built(t), "/usr/bin/nebula", 0o755},
		{filepath.Join(r.work, "nebula.1"), "/usr/share/man/man1/nebula.1", 0o644},
		{filepath.Join(r.work, "nebula.bash"), "/usr/share/bash-completion/completions/nebula", 0o644},
		{filepath.Join(r.work, "nebula.zsh"), "/usr/share/zsh/site-functions/_nebula", 0o644},
		{filepath.Join(r.work, "nebula.fish"), "/usr/share/fish/vendor_completions.d/nebula.fish", 0o644},
		{filepath.Join(r.root, "LICENSE"), "/usr/share/doc/nebula/copyright", 0o644},
	} {
		all = append(all, &files.Content{Source: f.from, Destination: f.to, FileInfo: &files.ContentFileInfo{
			Owner: "root", Group: "root", Mode: mode(f.mode), MTime: r.when,
		}})
	}
	return all
}
