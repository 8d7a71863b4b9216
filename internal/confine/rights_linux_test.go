package confine

import "testing"

// What keeps a command from rights stands behind something else that does, most of it: each is looked at for itself.
func TestNothingIsLeftOfRights(t *testing.T) {
	able(t)
	b := box(t)
	for name, line := range map[string]string{
		"new privileges":        `grep -E '^NoNewPrivs' /proc/self/status | grep -v '1$'`,
		"capabilities":          `grep -E '^Cap' /proc/self/status | grep -v '0000000000000000$'`,
		"those of the first":    `grep -E '^Cap(Inh|Prm|Eff)' /proc/1/status | grep -v '0000000000000000$'`,
		"a way to get them":     `$PY -c 'import ctypes; b = ctypes.CDLL(None).prctl(27, 0, 0, 0, 0); b == 0x2f or print(b)'`, // PR_GET_SECUREBITS
		"the first one's files": `readlink /proc/1/fd/*; head -c 9 /proc/1/environ 2>/dev/null`,
		"set-user-ID, devices":  `awk '$5 !~ "^/dev/" && ($6 !~ /nosuid/ || $6 !~ /nodev/)' /proc/self/mountinfo`,
		"what may be written":   `awk -v f=$FOLDER '$6 !~ /^ro/ && $5 != f && $5 !~ "^/(var/)?tmp$|^/dev/(pts|shm|null|zero|full|random|urandom|tty)$" && !/ - overlay /' /proc/self/mountinfo`,
		"the kernel's settings": `awk '$5 == "/proc" { last = $6 } END { if (last !~ /^ro/) print last }' /proc/self/mountinfo`,
		"programs in /dev":      `awk '$5 == "/dev" { last = $6 } END { if (last !~ /noexec/) print last }' /proc/self/mountinfo`,
	} {
		c := sh(b.Folder, line)
		c.Env = append(c.Env, "PY="+python(t), "FOLDER="+b.Folder)
		if out, status, _ := run(t, order{Box: b, Command: c}); out != "" || status.Signaled() {
			t.Errorf("%s: %s", name, out)
		}
	}
}
