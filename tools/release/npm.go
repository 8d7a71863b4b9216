package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The launcher of the npm package, which finds the binary that npm installed for this machine.
const launcher = `#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
const name = ` + "`nebula-${process.platform}-${process.arch}`" + `;
const file = process.platform === "win32" ? "nebula.exe" : "nebula";
let binary;
try {
  binary = require.resolve(` + "`${name}/${file}`" + `);
} catch {
  console.error(` + "`nebula: there is no package ${name} here: install again without --omit=optional, or take a binary from the release`" + `);
  process.exit(1);
}
const ended = spawnSync(binary, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error("nebula: " + ended.error.message);
  process.exit(1);
}
if (ended.signal) process.kill(process.pid, ended.signal);
process.exit(ended.status);
`

// npm makes a package for each target, and one that depends on all of them and installs that of the machine.
func (r *release) npm() error {
	optional := map[string]string{}
	for _, t := range r.targets {
		system, cpu, _ := strings.Cut(t.node, " ")
		name := "nebula-" + system + "-" + cpu
		optional[name] = r.version
		about := r.npmAbout(name)
		about["os"], about["cpu"], about["preferUnplugged"] = []string{system}, []string{cpu}, true
		if err := r.npmPackage(name, about, entry{t.binary(), r.built(t), 0o755}); err != nil {
			return err
		}
	}
	start := filepath.Join(r.work, "nebula.js")
	if err := os.WriteFile(start, []byte(launcher), 0o644); err != nil {
		return err
	}
	about := r.npmAbout("nebula-agent")
	about["bin"], about["optionalDependencies"] = map[string]string{"nebula": "nebula.js"}, optional
	about["engines"] = map[string]string{"node": ">=18"}
	return r.npmPackage("nebula-agent", about, entry{"nebula.js", start, 0o755}, entry{"README.md", filepath.Join(r.root, "README.md"), 0o644})
}

func (r *release) npmAbout(name string) map[string]any {
	return map[string]any{"name": name, "version": r.version, "description": summary, "license": "MIT", "homepage": r.home()}
}

func (r *release) npmPackage(name string, about map[string]any, entries ...entry) error {
	data, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	file := filepath.Join(r.work, name+".json")
	if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
		return err
	}
	entries = append(entries, entry{"package.json", file, 0o644}, entry{"LICENSE", filepath.Join(r.root, "LICENSE"), 0o644})
	for i := range entries {
		entries[i].name = "package/" + entries[i].name
	}
	content, err := r.tarball(entries)
	if err != nil {
		return err
	}
	return r.put(fmt.Sprintf("%s-%s.tgz", name, r.version), content, 0o644)
}
