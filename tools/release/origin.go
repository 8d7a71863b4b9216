package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// origin says what is in the binaries and how they came to be.
func (r *release) origin() error {
	info, err := buildinfo.ReadFile(r.built(r.targets[0]))
	if err != nil {
		return err
	}
	parts := []cyclonedx.Component{{Type: cyclonedx.ComponentTypePlatform, Name: "go", Version: strings.TrimPrefix(info.GoVersion, "go"), PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, cyclonedx.Component{
			Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: "pkg:golang/" + m.Path + "@" + m.Version,
		})
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: r.when.Format(time.RFC3339),
		Component: &cyclonedx.Component{Type: cyclonedx.ComponentTypeApplication, Name: "nebula", Version: r.version, Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "MIT"}}}},
	}
	bom.Components = &parts
	var out bytes.Buffer
	if err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	if err := r.put("nebula.cdx.json", out.Bytes(), 0o644); err != nil {
		return err
	}
	return r.provenance()
}

// provenance is a statement of the in-toto form about everything that was made so far.
func (r *release) provenance() error {
	type object = map[string]any
	subjects := []object{}
	for _, name := range r.made {
		sum, err := r.sum(name)
		if err != nil {
			return err
		}
		subjects = append(subjects, object{"name": name, "digest": object{"sha256": sum}})
	}
	data, err := json.MarshalIndent(object{
		"_type": "https://in-toto.io/Statement/v1", "subject": subjects, "predicateType": "https://slsa.dev/provenance/v1",
		"predicate": object{
			"buildDefinition": object{
				"buildType":            r.home() + "/tools/release",
				"externalParameters":   object{"version": r.version, "url": r.url},
				"resolvedDependencies": []object{{"uri": "git+" + r.home(), "digest": object{"gitCommit": r.commit}}},
				"internalParameters":   object{"go": runtime.Version()},
			},
			"runDetails": object{"builder": object{"id": r.home() + "/tools/release"}},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.put("nebula.intoto.json", append(data, '\n'), 0o644)
}

func (r *release) sum(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.dist, name))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
