package nebulatest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// serverPackages are servers of tools that other people wrote.
var serverPackages = []string{"@modelcontextprotocol/server-everything@2026.8.31", "@modelcontextprotocol/server-filesystem@2026.8.31"}

// Servers is the folder with servers of tools that other people wrote, each below its name. They are installed once for all
// runs of the tests; the error says why they cannot be.
func Servers() (string, error) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("servers that others wrote need %s", tool)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no place to install servers: %w", err)
	}
	dir := filepath.Join(cache, "nebula-test", "mcp-servers")
	there := filepath.Join(dir, "node_modules", "@modelcontextprotocol")
	if _, err := os.Stat(filepath.Join(there, "server-filesystem", "dist", "index.js")); err == nil {
		return there, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	install := exec.Command("npm", append([]string{"install", "--prefix", dir, "--no-audit", "--no-fund", "--no-save", "--silent"}, serverPackages...)...)
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("servers cannot be installed: %w\n%s", err, out)
	}
	return there, nil
}
