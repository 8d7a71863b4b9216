package nebulatest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ServersAt is where [Servers] has them once they are installed; empty where that can be nowhere.
func ServersAt() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "nebula-test", "mcp-servers", "node_modules", "@modelcontextprotocol")
}

// Servers is the folder with servers of tools that other people wrote, each below its name. They are installed once for all
// runs of the tests; the error says why they cannot be.
func Servers() (string, error) {
	_, err := Packages("mcp-servers", "@modelcontextprotocol/server-filesystem/dist/index.js", "@modelcontextprotocol/server-everything@2026.8.31", "@modelcontextprotocol/server-filesystem@2026.8.31")
	return ServersAt(), err
}

// Conformance is the script that tries clients against what the protocol says. An older Node lacks what only another part of it
// uses, and gets the script without.
func Conformance() (string, error) {
	dir, err := Packages("mcp-conformance", "@modelcontextprotocol/conformance/dist/index.js", "@modelcontextprotocol/conformance@0.1.16")
	if err != nil {
		return "", err
	}
	dist := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "dist")
	script, err := os.ReadFile(filepath.Join(dist, "index.js"))
	if err != nil {
		return "", err
	}
	text := strings.Replace(string(script), "globSync as o,", "", 1)
	text = strings.Replace(text, "import{Command as e}", "const o=()=>[];import{Command as e}", 1)
	file := filepath.Join(dist, "index-nebula.mjs")
	return file, os.WriteFile(file, []byte(text), 0o644)
}

// LanguagesAt is where [LanguageServers] has gopls once it is installed.
func LanguagesAt() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "nebula-test", "language-servers")
}

// LanguageServers are the programs of language servers that other people wrote, by their names. They are installed once for all
// runs of the tests; the error says why they cannot be.
func LanguageServers() (map[string]string, error) {
	dir, err := Packages("language-servers", ".bin/typescript-language-server", "typescript-language-server@6.0.2", "pyright@1.1.414", "typescript@5.9.3")
	if err != nil {
		return nil, err
	}
	gopls := filepath.Join(dir, "gopls")
	if _, err := os.Stat(gopls); err != nil {
		install := exec.Command("go", "install", "golang.org/x/tools/gopls@v0.20.0")
		install.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
		install.Dir = dir
		if out, err := install.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("gopls cannot be installed: %w\n%s", err, out)
		}
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	return map[string]string{"gopls": gopls, "typescript-language-server": filepath.Join(bin, "typescript-language-server"), "pyright-langserver": filepath.Join(bin, "pyright-langserver")}, nil
}

// Missing ends a test for want of something that is not here: with CI=true, where it is to be installed, as failed, elsewhere as skipped.
func Missing(t testing.TB, why any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// Packages is the folder below which packages of npm are; there, a path in node_modules, tells whether they are already. Who installs
// them at the same time does so beside, and one of them stays. Nothing of them runs for that.
func Packages(name, there string, packages ...string) (string, error) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%s needs %s", name, tool)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place to install %s: %w", name, err)
	}
	dir := filepath.Join(cache, "nebula-test", name)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(there))); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	made, err := os.MkdirTemp(filepath.Dir(dir), name+"-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(made)
	for tries := 3; ; tries-- { // a registry may be out of breath
		install := exec.Command("npm", append([]string{"install", "--prefix", made, "--no-audit", "--no-fund", "--no-save", "--silent", "--ignore-scripts"}, packages...)...)
		out, err := install.CombinedOutput()
		if err == nil {
			break
		}
		if tries == 1 {
			return "", fmt.Errorf("%s cannot be installed: %w\n%s", name, err, out)
		}
	}
	if err := os.Rename(made, dir); err != nil {
		if _, there := os.Stat(dir); there != nil {
			return "", err
		}
	}
	return dir, nil
}
