package workspace

import (
	"testing"

	"nebula/internal/nebulatest"

	"golang.org/x/sys/unix"
)

// What could not be tidied up behind a change does not make it undone: it stands, is told, and can be taken back.
func TestChangeThatStandsIsNoFailure(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "old", "gone": "old"})
	nebulatest.Refused(t, unix.SYS_UNLINKAT, 2, 0, unix.EROFS, func() {
		c, err := d.Write(t.Context(), granting(t, d, "a"), "a", []byte("new"))
		if err != nil || c.Kind != "edit" || content(t, d, "a") != "new" {
			t.Errorf("%+v, %v, %q", c, err, content(t, d, "a"))
		}
		if c, err := d.Delete(t.Context(), granting(t, d, "gone"), "gone"); err == nil || c.Kind != "" || content(t, d, "gone") != "old" {
			t.Errorf("%+v, %v", c, err)
		}
	})
	nebulatest.Refused(t, unix.SYS_RENAMEAT2, 4, unix.RENAME_NOREPLACE, unix.EROFS, func() {
		if c, err := d.Write(t.Context(), granting(t, d, "new"), "new", []byte("new")); err == nil || c.Kind != "" {
			t.Errorf("%+v, %v", c, err)
		}
	})
}
