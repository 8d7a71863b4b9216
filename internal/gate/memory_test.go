package gate

import (
	"encoding/json"
	"testing"

	"nebula"
)

func noted(note string) nebula.Proposal {
	args, _ := json.Marshal(map[string]string{"note": note}) // strings always marshal
	return nebula.Proposal{Effect: nebula.Memory, Action: nebula.Action{Tool: "remember", Args: args}}
}

func TestMemoryAlwaysAsksAndIsDeniedInPlanMode(t *testing.T) {
	p := noted("tabs, not spaces")
	for _, c := range []struct {
		rules Rules
		want  nebula.Ruling
	}{
		{Rules{Mode: nebula.AgentMode, Approve: Ask}, nebula.AskFirst},
		{Rules{Mode: nebula.AgentMode, Approve: Edits}, nebula.AskFirst},
		{Rules{Mode: nebula.AgentMode, Approve: Ask, Approved: map[string]int64{p.Key(): 1}}, nebula.AskFirst},
		{Rules{Mode: nebula.AgentMode, Approve: All}, nebula.Allow},
		{Rules{Mode: nebula.AgentMode, Approve: None}, nebula.Deny},
		{Rules{Mode: nebula.PlanMode, Approve: All}, nebula.Deny},
	} {
		if v := Judge(c.rules, p); v.Ruling != c.want {
			t.Errorf("%s %s: %q, want %q (%s)", c.rules.Mode, c.rules.Approve, v.Ruling, c.want, v.Why)
		}
	}
}

func TestSecretsAreNeverRemembered(t *testing.T) {
	for _, note := range []string{
		"the API key is sk-abcdefghijklmnopqrstuvwxyz", "password: hunter22secret", "the password is hunter2!x", "token = ghp_abcdefghijklmnopqrstuvwxyz012345",
		"パスワードは hunter2secret です", "APIキー：abc123def456", "db at postgres://bob:hunter2@db/prod", `secret="0123456789abcdef"`,
		"-----BEGIN PRIVATE KEY----- MIIE", "AKIAABCDEFGHIJKLMNOP",
	} {
		if v := Judge(Rules{Mode: nebula.AgentMode, Approve: All}, noted(note)); v.Ruling != nebula.Deny {
			t.Errorf("%q: %q", note, v.Ruling)
		}
	}
	for _, note := range []string{
		"the password is read from the environment", "the API key is $OPENAI_API_KEY", "tokens are counted with o200k", "token: see docs", "the key is Ctrl+S",
		"パスワードは環境変数から読む", "run make check before a commit", "see https://example.com/docs", "secrets live in 1Password", "トークンは安全に扱う",
	} {
		if Confidential(note) {
			t.Errorf("%q is taken for a secret", note)
		}
	}
}
