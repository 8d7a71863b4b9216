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
		{"sk-or-v1-0123456789abcdef0123", "sk-or-…", true},
		{"AIzaSyA0123456789abcdefghijklmnopqrstuv", "AIza…", true},
		{"gsk_0123456789abcdefghijKLMN", "gsk_…", true},
		{"xai-0123456789abcdefghijKLMN", "xai-…", true},
		{"csk-0123456789abcdefghijKLMN", "csk-…", true},
		{"鍵はsk-ant-api03-AbCdEf0123456789xyzです", "鍵はsk-ant-…です", false},
		{"https://h/sk-AbCdEf0123456789xyz/v1", "https://h/sk-…/v1", false},
		{"sk-AbCdEf0123456789xyz and more", "sk-… and more", false},
		{"KEY=sk-AbCdEf0123456789xyz", "KEY=sk-…", false},
		{"sk-circle-fade-dot12-dot13", "sk-circle-fade-dot12-dot13", false},
		{"sk-internationalization-of", "sk-internationalization-of", false},
		{"task-AbCdEf0123456789xyz", "task-AbCdEf0123456789xyz", false},
		{"fw_module_2_of_a_long_name", "fw_module_2_of_a_long_name", false},
		{"claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929", false},
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
