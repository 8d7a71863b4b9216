package main

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"text/template"
)

//go:embed recipes/install.sh
var installScript string

//go:embed recipes/nebula.rb
var homebrew string

//go:embed recipes/nebula.json
var scoop string

//go:embed recipes/nebula.nix
var nix string

// A source is an archive as recipes name it.
type source struct{ URL, Sum, Folder, Uname string }

// recipes are what other package managers read, and the script that installs a binary. They name addresses: without one
// there are none.
func (r *release) recipes() error {
	if r.url == "" {
		return nil
	}
	said := map[string]any{"Version": r.version, "URL": r.url, "Summary": summary, "Home": r.home()}
	var unix []source
	for _, t := range targets {
		var from source
		if slices.Contains(r.targets, t) {
			sum, err := r.sum(r.archive(t))
			if err != nil {
				return err
			}
			from = source{r.url + "/" + r.archive(t), sum, strings.TrimSuffix(strings.TrimSuffix(r.archive(t), ".zip"), ".tar.gz"), t.uname}
			if t.uname != "" {
				unix = append(unix, from)
			}
		}
		said[strings.ToUpper(t.os[:1])+t.os[1:]+strings.ToUpper(t.arch)] = from
	}
	said["Unix"] = unix
	for _, recipe := range []struct {
		name, text string
		mode       uint32
	}{{"install.sh", installScript, 0o755}, {"nebula.rb", homebrew, 0o644}, {"nebula.json", scoop, 0o644}, {"nebula.nix", nix, 0o644}} {
		parsed, err := template.New(recipe.name).Option("missingkey=error").Parse(recipe.text)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := parsed.Execute(&out, said); err != nil {
			return err
		}
		if err := r.put(recipe.name, out.Bytes(), mode(recipe.mode)); err != nil {
			return err
		}
	}
	return nil
}
