package confine

import (
	"fmt"
	"strings"
)

// Seatbelt is the box as a profile of macOS's sandbox-exec, see sandbox-exec(1). What stands further below decides. It has
// no private layers and no folders of its own: the caches and the temporary folders stay as they are, to be read, and
// what a command needs of them it gets below Shared.
func (b Box) Seatbelt() string {
	var p strings.Builder
	p.WriteString("(version 1)\n(allow default)\n(deny file-write*)\n")
	rule(&p, "allow file-write*", append([]string{b.Folder, b.Shared}, b.Write...)...)
	p.WriteString("(allow file-write* (literal \"/dev/null\") (literal \"/dev/zero\") (literal \"/dev/tty\") (regex #\"^/dev/fd/\"))\n")
	rule(&p, "deny file-read* file-write*", b.Hide...)
	rule(&p, "deny file-write*", b.ReadOnly...)
	p.WriteString("(deny file-write-setugid)\n(deny mach-task-name)\n(deny process-info* (target others))\n(allow process-info* (target same-sandbox))\n" +
		"(deny signal)\n(allow signal (target same-sandbox))\n")
	if !b.Network {
		p.WriteString("(deny network*)\n(allow network* (local ip \"localhost:*\") (remote ip \"localhost:*\"))\n(deny network-outbound (remote unix-socket))\n")
		rule(&p, "allow network*", b.Folder, b.Shared)
	}
	return p.String()
}

func rule(p *strings.Builder, what string, paths ...string) {
	var all []string
	for _, path := range paths {
		if path != "" {
			all = append(all, "(subpath "+quoted(path)+")")
		}
	}
	if len(all) > 0 {
		fmt.Fprintf(p, "(%s %s)\n", what, strings.Join(all, " "))
	}
}

// quoted writes a path as the profile's language has strings.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}
