package update

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"aead.dev/minisign"
)

// A server has the files of a release, as the release's maker writes them.
type server struct {
	files map[string][]byte
	key   minisign.PrivateKey
	*httptest.Server
}

func serving(t *testing.T) (*server, Source) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{files: map[string][]byte{}, key: private}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := s.files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(s.Close)
	return s, Source{URL: s.URL + "/", Key: public.String(), Client: s.Client()}
}

// offers a version whose program is a script.
func (s *server) offers(t *testing.T, version, script string) {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, f := range []struct{ name, text string }{{"n/README.md", "read"}, {"n/nebula", script}} {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o755, Size: int64(len(f.text)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte(f.text)) // a buffer takes it
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("nebula_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
	s.files[name] = out.Bytes()
	s.sign(fmt.Sprintf("%x  %s\n", sha256.Sum256(out.Bytes()), name), "version:"+version)
}

func (s *server) sign(list, comment string) {
	s.files["SHA256SUMS"] = []byte(list)
	s.files["SHA256SUMS.minisig"] = minisign.SignWithComments(s.key, []byte(list), comment, "")
}

func script(version string) string {
	return "#!/bin/sh\necho nebula " + version + " '(test)'\n"
}

func TestANewerReleaseTakesThePlace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	s, source := serving(t)
	s.offers(t, "1.3.0", script("1.3.0"))
	offer, err := source.Find(t.Context())
	if err != nil || offer.Version != "1.3.0" || !offer.Newer("1.2.9") || !offer.Newer("1.3.0-rc.1") || offer.Newer("1.3.0") || offer.Newer("1.10.0") {
		t.Fatalf("%+v %v", offer, err)
	}
	binary, err := offer.Fetch(t.Context())
	if err != nil || string(binary) != script("1.3.0") {
		t.Fatalf("%q %v", binary, err)
	}
	at := filepath.Join(t.TempDir(), "nebula")
	if err := os.WriteFile(at, []byte("old"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), at, binary, offer.Version); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(at); string(data) != script("1.3.0") {
		t.Errorf("%q", data)
	}
	if info, _ := os.Stat(at); info.Mode().Perm() != 0o750 {
		t.Error(info.Mode())
	}
}

// What is not signed, not what was signed, not for here, too large or does not start changes nothing.
func TestWhatIsNotSignedIsNotTaken(t *testing.T) {
	name := fmt.Sprintf("nebula_1.3.0_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	for why, spoil := range map[string]func(*server, *Source){
		"is not signed": func(s *server, _ *Source) { s.files["SHA256SUMS"] = append(s.files["SHA256SUMS"], '\n') },
		"by nebula's release key": func(_ *server, from *Source) {
			other, _, _ := minisign.GenerateKey(rand.Reader) // of random bytes
			from.Key = other.String()
		},
		"names no version":       func(s *server, _ *Source) { s.sign(string(s.files["SHA256SUMS"]), "nothing") },
		"not the file":           func(s *server, _ *Source) { s.files[name][20] ^= 1 },
		"has no binary":          func(s *server, _ *Source) { s.sign("00  nebula_1.3.0_plan9_mips.tar.gz\n", "version:1.3.0") },
		"404 Not Found":          func(s *server, _ *Source) { delete(s.files, "SHA256SUMS.minisig") },
		"could not be reached":   func(s *server, _ *Source) { s.Close() },
		"larger than any":        func(s *server, _ *Source) { s.files["SHA256SUMS"] = make([]byte, mostList+1) },
		"release key in this ne": func(_ *server, from *Source) { from.Key = "x" },
	} {
		t.Run(why, func(t *testing.T) {
			s, source := serving(t)
			s.offers(t, "1.3.0", script("1.3.0"))
			spoil(s, &source)
			offer, err := source.Find(t.Context())
			if err == nil {
				_, err = offer.Fetch(t.Context())
			}
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAProgramThatDoesNotStartStaysOut(t *testing.T) {
	at := filepath.Join(t.TempDir(), "nebula")
	if err := os.WriteFile(at, []byte("old"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, binary := range []string{"no program", script("1.2.0"), "#!/bin/sh\nexit 1\n"} {
		if err := Replace(t.Context(), at, []byte(binary), "1.3.0"); err == nil {
			t.Errorf("%q was put there", binary)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(at))
	if data, _ := os.ReadFile(at); err != nil || string(data) != "old" || len(entries) != 1 {
		t.Errorf("%q %v %v", data, entries, err)
	}
}

func TestPackageManagersKeepTheirOwn(t *testing.T) {
	for at, kept := range map[string]bool{
		"/home/a/lib/node_modules/nebula-linux-x64/nebula": true, "/opt/homebrew/Cellar/nebula/1.0/bin/nebula": true,
		"/nix/store/abc-nebula/bin/nebula": true, "/usr/bin/nebula": true, "/home/a/.local/bin/nebula": false, "/usr/local/bin/nebula": false,
	} {
		if (Keeper(at) != "") != kept {
			t.Error(at, Keeper(at))
		}
	}
}
