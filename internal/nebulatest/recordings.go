package nebulatest

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"nebula"
)

// A Recording is one turn of a real conversation: the bytes of the answer, and the request that followed it.
type Recording struct {
	Name string
	Body []byte
	Next []byte // nil behind the last turn
}

// Recordings are the turns below a folder of testdata: DIR/MODEL/KIND/N.response.sse.
func Recordings(t testing.TB, dir string) (all []Recording) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", dir, "*", "*", "*.response.sse"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s (%v)", dir, err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		turn, _, _ := strings.Cut(filepath.Base(file), ".")
		n, _ := strconv.Atoi(turn)
		next, _ := os.ReadFile(filepath.Join(filepath.Dir(file), strconv.Itoa(n+1)+".request.json")) // the last turn has none
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/"+dir+"/"), ".response.sse")
		all = append(all, Recording{name, body, next})
	}
	return all
}

// Decoding is how a body is read to its reply.
type Decoding func(body io.Reader) (nebula.Reply, error)

// TestRecording checks that a body is the same reply however it arrives, and none where it is cut before whole: the place from
// which on the finish reason is there. What only counts may be missing of a body that is cut behind it.
func TestRecording(t *testing.T, body []byte, whole int, decode Decoding) {
	t.Helper()
	want, err := decode(bytes.NewReader(body))
	if err != nil || want.Finish == "" || want.Model == "" || want.Usage.Input == 0 || want.Usage.Output == 0 || len(want.Parts) == 0 {
		t.Fatalf("%+v, %v", want, err)
	}
	for i := range boundaries(body) {
		got, err := decode(io.MultiReader(bytes.NewReader(body[:i]), bytes.NewReader(body[i:])))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("in two parts at %d: %+v, %v", i, got, err)
		}
		for _, end := range []error{io.EOF, errors.New("reset")} {
			got, err = decode(io.MultiReader(bytes.NewReader(body[:i]), iotest.ErrReader(end)))
			if i < whole && (err == nil || !reflect.DeepEqual(got, nebula.Reply{})) {
				t.Fatalf("cut at %d, before %d (%v): %+v, %v", i, whole, end, got, err)
			}
			if got.Usage = want.Usage; err == nil && !reflect.DeepEqual(got, want) {
				t.Fatalf("cut at %d of %d: %+v", i, len(body), got)
			}
		}
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var parts []io.Reader
		for rest := body; len(rest) > 0; {
			n := min(1+chance.IntN(200), len(rest))
			parts, rest = append(parts, bytes.NewReader(rest[:n])), rest[n:]
		}
		if got, err := decode(io.MultiReader(parts...)); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("in random parts: %+v, %v", got, err)
		}
	}
	if got, err := decode(iotest.OneByteReader(bytes.NewReader(body))); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("byte by byte: %+v, %v", got, err)
	}
}

// boundaries yields every place at which a body can be cut. Of larger ones, which repeat themselves, it yields those at the
// ends of the first lines and every hundred-and-first, unless NEBULA_LONG asks for all.
func boundaries(body []byte) iter.Seq[int] {
	all := len(body) < 3000 || os.Getenv("NEBULA_LONG") != ""
	return func(yield func(int) bool) {
		for i := range body {
			near := i < 8000 && bytes.IndexByte(body[max(0, i-1):i+1], '\n') >= 0
			if (all || near || i%101 == 0) && !yield(i) {
				return
			}
		}
	}
}
