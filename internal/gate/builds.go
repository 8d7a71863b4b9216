package gate

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/steer"
)

// builds are the files whose content runs when a project is built, tested or installed, by name as in named, and the
// programs that read them. Whoever may change one decides what the next of these commands does.
var builds = []struct{ files, programs []string }{
	{strings.Fields("makefile gnumakefile *.mk *.mak configure configure.ac makefile.am"), strings.Fields("make gmake autoreconf")},
	{strings.Fields("package.json *.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts .eslintrc.js .eslintrc.cjs .babelrc.js .mocharc.js .mocharc.cjs .lintstagedrc.js gulpfile.js gulpfile.ts gruntfile.js karma.conf.js binding.gyp"),
		strings.Fields("npm npx pnpm yarn bun bunx node deno jest vitest mocha ava playwright cypress karma webpack vite rollup esbuild swc parcel eslint tsc gulp grunt turbo nx lerna rush")},
	{strings.Fields("conftest.py setup.py setup.cfg pyproject.toml tox.ini pytest.ini noxfile.py tasks.py fabfile.py wscript"),
		strings.Fields("pytest py.test python python3 tox nox pip pip3 uv poetry pdm hatch invoke unittest nose2 coverage mypy")},
	{strings.Fields("build.rs cargo.toml"), strings.Fields("cargo rustc")},
	{strings.Fields("cmakelists.txt *.cmake meson.build build.ninja sconstruct sconscript"), strings.Fields("cmake ctest make ninja meson scons")},
	{strings.Fields("*.gradle build.gradle.kts settings.gradle.kts *.gradle.kts gradle.properties gradlew pom.xml mvnw build.xml build.sbt project/plugins.sbt project.clj build.sc"),
		strings.Fields("gradle gradlew mvn mvnw ant sbt lein mill")},
	{strings.Fields("rakefile gemfile *.gemspec *.rake spec_helper.rb vagrantfile capfile guardfile podfile fastfile"), strings.Fields("rake bundle bundler gem rspec ruby")},
	{strings.Fields("justfile .justfile taskfile.yml taskfile.yaml magefile.go earthfile tiltfile procfile"), strings.Fields("just task mage")},
	{strings.Fields("build build.bazel workspace workspace.bazel module.bazel *.bzl"), strings.Fields("bazel bazelisk")},
	{strings.Fields("*.csproj *.fsproj *.vbproj *.vcxproj *.sln *.targets *.props *.cake"), strings.Fields("dotnet msbuild")},
	{strings.Fields("composer.json phpunit.xml phpunit.xml.dist"), strings.Fields("composer php phpunit")},
	{strings.Fields("mix.exs rebar.config package.swift build.zig dune dune-project setup.hs *.cabal stack.yaml shard.yml project.toml flake.nix default.nix shell.nix dub.json build.boot deps.edn"),
		strings.Fields("mix rebar3 swift xcodebuild zig dune cabal stack crystal julia nix nix-build nix-shell dub clojure")},
}

// generates is a line of Go, or of what else stands in a source file, that says what a tool runs or links.
var generates = &lazy.Pattern{X: `(?m)^\s*(?://go:generate\b|//go:build ignore|#cgo\b|//\s*#cgo\b)`}

// atBuild reports whether a write reaches a file whose content runs when the project is built or tested.
func atBuild(p nebula.Proposal) bool {
	return slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return !t.Ignored && (Builds(t.Path) || t.Named != "" && Builds(t.Named)) }) || generates.In(added(p.Diff))
}

// Builds reports whether a file is by its name one that programs read when they build or test.
//
//go:noinline
func Builds(file string) bool { return len(builders(file)) > 0 }

// builders are the programs that read a file when they build or test what it is of.
func builders(file string) []string {
	low := strings.ToLower(file)
	name := path.Base(low)
	for _, kind := range builds {
		for _, n := range kind.files {
			if steer.Fits(n, low) || strings.HasPrefix(n, "*.") && strings.HasSuffix(name, n[1:]) {
				return kind.programs
			}
		}
	}
	return nil
}
