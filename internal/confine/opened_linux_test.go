package confine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// That a command opened a file is seen however it came to its name, on a view and in the folder itself; that it looked for one,
// or asked what one is, is not opening it.
func TestWhatACommandOpensIsSeen(t *testing.T) {
	able(t)
	for _, tt := range []struct {
		line string
		want bool
	}{
		{"ls -A | xargs rev", true},
		{`find . -type f -exec rev {} +`, true},
		{`for f in $(ls -A); do rev "$f"; done`, true},
		{"grep -r . . | rev", true},
		{"tar c . | rev", true},
		{`cp -a . /tmp/z2; cd /tmp/z2; ls -A | xargs rev`, true},
		{"eval $(echo cmV2IC5lbnY= | base64 -d)", true},
		{`mv .e* x; rev x`, true},
		{`ln .e* x; rev x`, true},
		{`ln .e* x; rev x; rm x`, true},
		{`ln -s .e* x; rev x`, true},
		{`ln -s . y; rev y/.e*`, true},
		{`chmod 700 .e*; rev .e*`, true},
		{`mkdir z; mv .e* z/w; mv z z2; rev z2/*`, true},
		{`(setsid rev .e* &) ; sleep 0.3`, true},
		{`python3 -c 'print(open(".e"+"nv").read()[::-1])'`, true},
		{`python3 -c 'import mmap,os; f=os.open(".e"+"nv", os.O_RDWR); print(mmap.mmap(f,0)[::-1])'`, true},
		{"ls -la; stat .e*; test -r .e* && echo there; find . -size +0; du -a; mv .e* there", false},
		{"cat other/*", false},
		{"true", false},
	} {
		for _, viewed := range []bool{true, false} {
			b := box(t)
			secret := filepath.Join(b.Folder, ".env")
			for path, text := range map[string]string{".env": "TOKEN=canary\n", "other/plain": "plain\n"} {
				_ = os.MkdirAll(filepath.Dir(filepath.Join(b.Folder, path)), 0o755)
				if err := os.WriteFile(filepath.Join(b.Folder, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if viewed {
				v, err := NewView(b.Folder, filepath.Join(t.TempDir(), "v"))
				if err != nil {
					t.Fatal(err)
				}
				b.Views = []View{v}
			}
			b.Watch = []string{secret, filepath.Join(b.Folder, "none")}
			out, end := ended(t, order{Box: b, Command: sh(b.Folder, tt.line)})
			if got := slices.Equal(end.Opened, []string{secret}); got != tt.want || !tt.want && len(end.Opened) > 0 {
				t.Errorf("%s (view %v): %q\n%s", tt.line, viewed, end.Opened, out)
			}
		}
	}
}
