package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print version, commit and Go version", Args: atMost(0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.out, version())
			return err
		},
	}
}

// version is what the builder of a release and the Go tool stamped into the binary.
func version() string {
	name, commit, dirty := "devel", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; released != "" {
			name = released
		} else if v != "" && v != "(devel)" {
			name = strings.TrimPrefix(v, "v")
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "+"
			}
		}
	}
	if commit == "" {
		commit = "unknown commit"
	}
	return fmt.Sprintf("nebula %s (%s%s, %s, %s/%s)", name, commit, dirty, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
