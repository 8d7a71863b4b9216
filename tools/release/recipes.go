package main

import (
	"bytes"
	_ "embed"
	"fmt"
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

// recipes are what other package managers read, and the script that installs a binary. They name addresses: without one
// there are none.
func (r *release) recipes() error {
	if r.url == "" {
		return nil
	}
	said := map[string]any{"Version": r.version, "URL": r.url, "Summary": summary, "Home": r.home(), "Key": ""}
	if r.signer != nil {
		said["Key"] = fmt.Sprint(r.signer.Public())
	}
	for _, t := range r.targets {
		sum, err := r.sum(r.archive(t))
		if err != nil {
			return err
		}
		name := strings.ToUpper(t.os[:1]) + t.os[1:] + strings.ToUpper(t.arch)
		said[name] = map[string]string{
			"URL": r.url + "/" + r.archive(t), "Sum": sum,
			"Folder": strings.TrimSuffix(strings.TrimSuffix(r.archive(t), ".zip"), ".tar.gz"),
		}
	}
	for _, recipe := range []struct {
		name, text string
		mode       uint32
	}{{"install.sh", installScript, 0o755}, {"nebula.rb", homebrew, 0o644}, {"nebula.json", scoop, 0o644}, {"nebula.nix", nix, 0o644}} {
		parsed, err := template.New(recipe.name).Option("missingkey=zero").Parse(recipe.text)
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
