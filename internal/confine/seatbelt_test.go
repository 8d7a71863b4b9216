package confine

import "testing"

// What may be changed comes before what may not, and no path ends a string of the profile.
func TestSeatbeltSaysWhatTheBoxSays(t *testing.T) {
	b := Box{Folder: `/Users/a/my "work`, Shared: "/private/tmp/x", Hide: []string{"/Users/a/.ssh"}, ReadOnly: []string{`/Users/a/my "work/.git`}}
	const want = `(version 1)
(allow default)
(deny file-write*)
(allow file-write* (subpath "/Users/a/my \"work") (subpath "/private/tmp/x"))
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))
(deny file-read* file-write* (subpath "/Users/a/.ssh"))
(deny file-write* (subpath "/Users/a/my \"work/.git"))
(deny file-write-setugid)
(deny mach-task-name)
(deny process-info* (target others))
(allow process-info* (target same-sandbox))
(deny signal)
(allow signal (target same-sandbox))
(deny network*)
(allow network* (local ip "localhost:*") (remote ip "localhost:*"))
(deny network-outbound (remote unix-socket))
(allow network* (subpath "/Users/a/my \"work") (subpath "/private/tmp/x"))
`
	if got := b.Seatbelt(); got != want {
		t.Errorf("%s", got)
	}
	b.Network = true
	if got := b.Seatbelt(); len(got) >= len(want) {
		t.Errorf("the network is closed: %s", got)
	}
}
