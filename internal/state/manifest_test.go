package state_test

import (
	"strings"
	"testing"

	"nebula/internal/state"
)

// What a manifest names for the first time is a dependency; another version of what it named is none, nor is what else stands there.
func TestWhatAManifestAdds(t *testing.T) {
	for _, c := range []struct{ file, gone, come, want string }{
		{"go.mod", "", "require github.com/a/b v1.2.3", "github.com/a/b"}, {"go.mod", "", "\trsc.io/quote v1.5.2 // indirect", "rsc.io/quote"}, {"go.mod", "\tgithub.com/a/b v1.2.3", "\tgithub.com/a/b v1.3.0", ""}, {"go.mod", "go 1.21", "go 1.22", ""},
		{"package.json", "", `  "dependencies": {"slugify": "^1.6.0"},`, "slugify"}, {"package.json", `{"name": "x", "version": "1.0.0"}`, `{"name": "x", "version": "1.0.1", "dependencies":{"slugify":"1"}}`, "slugify"}, {"package.json", "", `"engines": {"node": ">=18"},`, ""},
		{"web/package.json", "", `    "lodash": "^4.17.21",`, "lodash"}, {"package.json", `"lodash": "^4.0.0"`, `"lodash": "^4.17.21"`, ""}, {"package.json", `"version": "1.0.0",`, `"version": "1.1.0",`, ""}, {"package.json", "", `"test": "jest --ci",`, ""},
		{"package.json", "", `"@a/b": "workspace:*"`, "@a/b"}, {"package.json", "", `"node": ">=18"`, ""}, {"composer.json", "", `"monolog/monolog": "^3.0"`, "monolog/monolog"},
		{"requirements.txt", "", "requests==2.31", "requests"}, {"requirements-dev.txt", "", "# for the tests", ""}, {"requirements.txt", "flask==2.0", "flask==3.0", ""},
		{"pyproject.toml", "", `    "httpx>=0.27",`, "httpx"}, {"pyproject.toml", "", `dependencies = ["attrs"]`, "attrs"}, {"pyproject.toml", "", `requests = "^2.31"`, "requests"}, {"pyproject.toml", `version = "1.0"`, `version = "1.1"`, ""}, {"pyproject.toml", "", `requires-python = ">=3.9"`, ""}, {"pyproject.toml", "", `"E501",`, ""},
		{"Cargo.toml", "", `serde = { version = "1", features = ["derive"] }`, "serde"}, {"Cargo.toml", "", `anyhow = "1.0"`, "anyhow"}, {"Cargo.toml", `edition = "2018"`, `edition = "2021"`, ""}, {"Cargo.toml", "", "[dependencies.rand]", "rand"}, {"Cargo.toml", "", "tokio.workspace = true", "tokio"},
		{"Gemfile", "", "gem 'rails', '~> 7'", "rails"}, {"x.gemspec", "", "  spec.add_dependency 'nokogiri'", "nokogiri"}, {"pom.xml", "", "<artifactId>guava</artifactId>", "guava"}, {"app/build.gradle.kts", "", `    implementation("com.a:b:1.0")`, "com.a:b"},
		{"a.csproj", "", `<PackageReference Include="Newtonsoft.Json" Version="13.0.1" />`, "Newtonsoft.Json"}, {"pubspec.yaml", "", "  http: ^1.1.0", "http"}, {"mix.exs", "", `{:jason, "~> 1.4"},`, "jason"}, {"main.go", "", "require github.com/a/b v1.2.3", ""},
	} {
		diff := "--- a/" + c.file + "\n+++ b/" + c.file + "\n@@ -1,2 +1,2 @@\n x\n"
		for _, l := range [...][2]string{{"-", c.gone}, {"+", c.come}} {
			if l[1] != "" {
				diff += l[0] + l[1] + "\n"
			}
		}
		want := c.want
		if want != "" {
			want += " (" + c.file + ")"
		}
		if got := strings.Join(state.Depends(diff), ", "); got != want {
			t.Errorf("%s: -%s +%s: %q, want %q", c.file, c.gone, c.come, got, want)
		}
	}
}
