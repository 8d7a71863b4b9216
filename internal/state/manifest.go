package state

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A manifest is a row: files that name what a project depends on, as patterns of their names, and how a line names one.
type manifest struct {
	files string
	named *lazy.Pattern
}

// manifests are the rows.
var manifests = []manifest{
	{"go.mod", &lazy.Pattern{X: `^\s*(?:require\s+)?([^\s/()]+\.\S+) v\d`}},
	{"package.json composer.json deno.json deno.jsonc import_map.json", &lazy.Pattern{X: `(?:^|[{,])\s*"([^"]+)": *"(?:[\^~<>=v]*\s*\d[\w.*+-]*|\*|latest|next|(?:workspace|file|link|npm|jsr|github|git\+\w+|https?):)`}},
	{"requirements*.txt requirements*.in constraints*.txt dev-requirements.txt", &lazy.Pattern{X: `^([A-Za-z0-9][\w.-]*)`}},
	{"pyproject.toml Cargo.toml Pipfile", &lazy.Pattern{X: `^([\w.-]+?)(?:\.workspace)?\s*=\s*(?:"[\^~<>=*\d]|true|\{.*\b(?:version|git|path|url|workspace)\s*=)|^\[(?:[\w-]+[.-])?dependencies\.([\w-]+)\]`}},
	{"pyproject.toml setup.py setup.cfg", &lazy.Pattern{X: `["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[<>=~!]=|[<>@])[^"']*["']|^\s*["']([a-z][\w.-]*)["'],?\s*$|^(?:dependencies|install_requires)\s*=\s*\[\s*["']([\w.-]+)["']`}},
	{"Gemfile *.gemspec", &lazy.Pattern{X: `^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[ (]+["']([\w-]+)`}},
	{"pom.xml", &lazy.Pattern{X: `<artifactId>([^<]+)</artifactId>`}},
	{"*.gradle *.gradle.kts", &lazy.Pattern{X: `^\s*(?:\w*[iI]mplementation|api|compileOnly|runtimeOnly|\w*[cC]ompile|kapt|ksp|annotationProcessor|classpath)\b[\s(]+["']([^"':]+:[^"':]+)`}},
	{"*.versions.toml", &lazy.Pattern{X: `\bmodule\s*=\s*"([^"]+)"`}},
	{"*.csproj *.fsproj *.vbproj *.props packages.config", &lazy.Pattern{X: `<(?:PackageReference|PackageVersion|package)\b[^>]*?(?:Include|id)="([^"]+)"`}},
	{"pubspec.yaml", &lazy.Pattern{X: `^  (\w+): *["']?[\^>=]*\d`}},
	{"mix.exs", &lazy.Pattern{X: `\{:(\w+),`}},
	{"Package.swift", &lazy.Pattern{X: `\.package\([^)]*?(?:url|path): *"([^"]+)"`}},
	{"environment.yml environment.yaml", &lazy.Pattern{X: `^\s*- ([A-Za-z][\w.-]*)`}},
}

// noDependency are names that stand beside them with a version of another thing.
const noDependency = " version name node npm yarn pnpm python php edition resolver rust-version requires-python packagemanager sdk id "

// Depends is what the changes of a diff make the project depend on that it did not name in the same file, each with that file; those alone of
// which the lines that a diff shows say so.
func Depends(diff string) (list []string) {
	for _, e := range edits(diff) {
		for _, row := range manifests {
			if !slices.ContainsFunc(strings.Fields(row.files), func(p string) bool { ok, _ := path.Match(p, path.Base(e.path)); return ok }) {
				continue
			}
			had := dependencies(row, e.gone)
			for _, name := range dependencies(row, e.come) {
				if !lists.Has(had, name) {
					list = append(list, name+" ("+e.path+")")
				}
			}
		}
	}
	return list
}

// dependencies are the names in lines of a manifest.
func dependencies(row manifest, lines []string) (names []string) {
	for _, l := range lines {
		for _, m := range row.named.For(l).FindAllStringSubmatch(l, -1) {
			name := strings.Join(m[1:], "")
			if low := strings.ToLower(name); !strings.Contains(noDependency, " "+low+" ") && !strings.Contains(low, "version") {
				names = append(names, name)
			}
		}
	}
	return names
}

// A patched is a file of a diff with the lines that come to it, go from it, and stand around them.
type patched struct {
	path             string
	come, gone, kept []string
	went             []string // those that go, each behind its sign, and the last one with words above them
}

// edits are the files of a unified diff, without those that go.
func edits(diff string) (list []patched) {
	head, above := true, "" // before the first hunk of a file
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "--- ") && (head || len(list) == 0 || strings.HasPrefix(line, "--- a/") || line == "--- /dev/null"):
			head = true
			continue
		case head && strings.HasPrefix(line, "+++ "):
			list = append(list, patched{path: strings.TrimPrefix(strings.TrimPrefix(line, "+++ "), "b/")})
		case strings.HasPrefix(line, "@@"):
			head, above = false, ""
		case head || len(list) == 0:
		case strings.HasPrefix(line, "+"):
			list[len(list)-1].come = append(list[len(list)-1].come, line[1:])
		case strings.HasPrefix(line, "-"):
			list[len(list)-1].gone = append(list[len(list)-1].gone, line[1:])
			list[len(list)-1].went = append(list[len(list)-1].went, above, line)
		case strings.HasPrefix(line, " "):
			if list[len(list)-1].kept = append(list[len(list)-1].kept, line[1:]); anyWord.In(line) {
				above = line
			}
		}
	}
	return list
}
