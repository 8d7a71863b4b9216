package tool_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/tool"
)

// What a command writes over a file out of its own text is held to what an edit is: lines that stand for others are sent back
// once, and then asked about, whatever else may run.
func TestACommandsOwnTextLeavesNothingOut(t *testing.T) {
	const elided = "package a\n\nfunc other() int {\n\treturn 43\n}\n\n// ... rest unchanged ...\n"
	f := newFolder(t, tool.Options{}, map[string]string{"a.go": program})
	for line, back := range map[string]bool{
		"cat > a.go <<'EOF'\n" + elided + "EOF":                              true,
		"cat <<EOF > ./a.go\n" + elided + "EOF\ngo vet ./...":                true,
		"ls && cat > 'a.go' <<-EOF\n" + elided + "EOF":                       true,
		"tee \"a.go\" <<'EOF' >/dev/null\n" + elided + "EOF":                 true,
		"if true; then cat >| a.go <<'EOF'\n" + elided + "EOF\nfi":           true,
		"cat >> a.go <<'EOF'\n" + elided + "EOF":                             false,
		"tee -a a.go <<'EOF'\n" + elided + "EOF":                             false,
		"cat > new.go <<'EOF'\n" + elided + "EOF":                            false,
		"cat > a.go <<'EOF'\npackage a\n\n// Rest is what stays.\nEOF":       false,
		"cat > \"$F\" <<'EOF'\n" + elided + "EOF":                            false,
		"grep -c x a.go <<'EOF'\n// ... rest unchanged ...\nEOF\ncat <<EOF(": false,
	} {
		a := args{"command": line}
		p, err := f.propose("executeShell", a)
		m := (*nebula.Mistake)(nil)
		if errors.As(err, &m) != back || !back && len(p.Risks) > 0 {
			t.Errorf("%s\n%v %v", line, err, p.Risks)
		}
		if !back || m == nil {
			continue
		}
		again := f.view()
		again.SentBack = func(hash string) bool { return hash == m.Again }
		raw, _ := json.Marshal(a)
		p, err = f.tool("executeShell").Propose(t.Context(), nebula.Action{Args: raw}, again)
		p.Viewed = true
		if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.All}, p); err != nil || v.Ruling != nebula.AskFirst || !strings.HasPrefix(string(v.Why), nebula.Marked) {
			t.Errorf("%s given again: %v %s %v", line, v.Ruling, v.Why, err)
		}
	}
}
