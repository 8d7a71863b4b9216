package phrase

import "testing"

// What has the form of a key is masked wherever it stands; names that begin as keys do are not.
func TestKeysAreMaskedByTheirForm(t *testing.T) {
	for _, c := range []struct {
		text, want string
		is         bool
	}{
		{"sk-ant-api03-AbCdEf0123456789xyz_-AbCdEf", "sk-ant-…", true},
		{`"sk-proj-AbCdEf0123456789xyz"`, `"sk-proj-…"`, true},
		{"sk-AbCdEf0123456789xyz", "sk-…", true},
		{"sk-or-v1-9f3e07c4a1b82d65e0c7", "sk-or-…", true},
		{"AIzaSyA7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU", "AIza…", true},
		{"gsk_7bQ2xW9kLmZ0pR4tYvN8cJ1d", "gsk_…", true},
		{"xai-7bQ2xW9kLmZ0pR4tYvN8cJ1d", "xai-…", true},
		{"csk-7bq2xw9klmz0pr4tyvn8cj1d", "csk-…", true},
		{"AQ.Ab8RN6K7bQ2xW9kLmZ0pR4tYvN8c", "AQ.Ab…", true},
		{"9f3e07c4a1b82d65e0c79f3e07c4a1b8.Q2xW9kLmZ0pR4tYv", "…", true},
		{"ghp_7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5aB6c", "ghp_…", true},
		{"github_pat_11ABCDEFG0pR4tYvN8cJ1d_7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5", "github_pat_…", true},
		{"tvly-7bQ2xW9kLmZ0pR4tYvN8cJ1d", "tvly-…", true},
		{"tvly-dev-7bQ2xW9kLmZ0pR4tYvN8cJ1d", "tvly-…", true},
		{"ABSKQmVkcm9ja0FQSUtleS1k/7bQ2xW9kLmZ0+R4tYvN8cJ1dFgHs3eU5==", "ABSK…", true},
		{"ya29.a0AbVbY6P7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5_x", "ya29.…", true},
		{"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", "SG.…", true},
		{"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", "GOCSPX-…", true},
		{"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5", "eyJ…", true},
		{"npm_config_registry_2024_of_a_project", "npm_config_registry_2024_of_a_project", false},
		// wrapped
		{"\x1b[1;31msk-7bQ2xW9kLmZ0pR4tYvN8\x1b[0m", "\x1b[1;31msk-…\x1b[0m", false},
		{"xsk-ant-api03-7bQ2xW9kLmZ0pR4tYvN8cJ1d", "xsk-ant-…", false},
		{"1sk-7bQ2xW9kLmZ0pR4tYvN8", "1sk-…", false},
		{"foo-sk-7bQ2xW9kLmZ0pR4tYvN8", "foo-sk-…", false},
		{"SK-ANT-API03-7BQ2XW9KLMZ0PR4TYVN8", "SK-ANT-…", true},
		{"k: sk-ant-api03-7bQ2xW9kLmZ0p\n  R4tYvN8cJ1dFgHs3eU\nthe next line", "k: sk-ant-…\nthe next line", false},
		{"sk-7bQ2xW9kLmZ0pR4tYvN8\nsk-proj-7bQ2xW9kLmZ0pR4tYvN8", "sk-…\nsk-proj-…", false},
		{"鍵はsk-ant-api03-AbCdEf0123456789xyzです", "鍵はsk-ant-…です", false},
		{"https://h/sk-AbCdEf0123456789xyz/v1", "https://h/sk-…/v1", false},
		{"sk-AbCdEf0123456789xyz and more", "sk-… and more", false},
		{"KEY=sk-AbCdEf0123456789xyz", "KEY=sk-…", false},
		{"sk-circle-fade-dot12-dot13", "sk-circle-fade-dot12-dot13", false},
		{"sk-internationalization-of", "sk-internationalization-of", false},
		{"task-AbCdEf0123456789xyz", "task-AbCdEf0123456789xyz", false},
		{"fw_module_2_of_a_long_name", "fw_module_2_of_a_long_name", false},
		{"claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929", false},
		{"SG.Company.Application2.Services.Implementation", "SG.Company.Application2.Services.Implementation", false},
		// examples, and what other words end with
		{"sk-1234567890abcdef", "sk-1234567890abcdef", false},
		{"sk-00000000000000000000000000000000", "sk-00000000000000000000000000000000", false},
		{"sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD", "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD", false},
		{"sk-123123123123123123123123", "sk-123123123123123123123123", false},
		{"/tmp/task-9f3e07c4a1b82d65e0c79f3e07c4a1b8/x", "/tmp/task-9f3e07c4a1b82d65e0c79f3e07c4a1b8/x", false},
		{"disk-proj-20240917T0815Z", "disk-proj-20240917T0815Z", false},
		{"4bf92f3577b34da6a3ce929d0e0e4736.00f067aa0ba902b7", "4bf92f3577b34da6a3ce929d0e0e4736.00f067aa0ba902b7", false},
		{"", "", false},
	} {
		if got := Masked(c.text); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
		if got := IsKey(c.text); got != c.is {
			t.Errorf("%q is a key: %v", c.text, got)
		}
	}
}

// Words that stand where a key does are no secrets, and are hidden nowhere.
func TestWhatIsWrittenForWantOfAKeyIsNoSecret(t *testing.T) {
	for key, want := range map[string]bool{
		"sk-no-key-required": true, "not-needed-here": true, "gpt-4.1-nano": true, "your_key_here": true,
		"sk-ant-api03-7bQ2xW9kLmZ0pR4tYvN8cJ1d": false, "no-7bQ2xW9kLmZ0pR4tYvN8": false, "correct-horse-battery": false, "nothing": false,
	} {
		if IsExample(key) != want {
			t.Errorf("%s: %v", key, !want)
		}
	}
}
