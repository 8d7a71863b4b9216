package token

import (
	"bytes"
	"compress/flate"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

var update = flag.Bool("update", false, "write the table anew from the library's")

// The table is the library's, token for token.
func TestTheTableIsThePublishedOne(t *testing.T) {
	library := codec.NewO200kBase()
	var plain bytes.Buffer
	for id := uint(0); id < 199_998; id++ {
		text, err := library.Decode([]uint{id})
		if err != nil || len(text) > 255 {
			t.Fatalf("token %d: %q %v", id, text, err)
		}
		plain.WriteByte(byte(len(text)))
		plain.WriteString(text)
		if *update {
			continue
		}
		if rank, ok := ranks()[text]; !ok || uint(rank) != id {
			t.Fatalf("token %d is %q, and stands at %d", id, text, rank)
		}
	}
	if !*update {
		return
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("o200k.flate", small.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// hollow is a stretch of lines of which one holds only blanks: one piece by the pattern, which the library cuts in two.
var hollow = regexp.MustCompile(`[\r\n][\t\v\f\x{85}\p{Z}]+[\r\n]`)

func TestLinesOfBlanksAreOnePiece(t *testing.T) {
	if n := next("\n\t\nx"); n != 3 {
		t.Errorf("%d bytes are cut off", n)
	}
}

// What is counted is what the library counts, of this project's own files in several languages and of anything else.
func TestCountsAsTheLibraryDoes(t *testing.T) {
	library := codec.NewO200kBase()
	same := func(text string) {
		t.Helper()
		want, err := library.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Count(text); got != want {
			t.Errorf("%d tokens in place of %d: %.200q", got, want, text)
		}
	}
	for _, text := range []string{"", "hello world", "日本語のテスト", "I'LL they'ſ don't", "a   b", " \n  x", "  \r\n\r\n y  ", "1234567 ٣٤٥", "\u00a0\u3000 x", "\u0085x", "\u200bx", "a\vb\f c", "e\u0301t", strings.Repeat("=", 300), strings.Repeat("ab", 200), "👩‍💻 //\n/", " ", "   "} {
		same(text)
	}
	files, err := filepath.Glob("../../../*.md")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "../../phrase/lang/ja.txt", "token.go", "../../../docs/schema.json") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		same(string(text))
	}
	letters := []rune("aBé日本 \t\n\r'sST123/.,;=-_\u00a0\u3000\u0301ǅʰ٣👍\u200d")
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]rune, r.IntN(24))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		if s := string(text); !hollow.MatchString(s) {
			same(s)
		}
	}
}

func TestBrokenTextCostsItsBytes(t *testing.T) {
	if n := Count("\xff\xfe"); n != 2 {
		t.Errorf("broken UTF-8 costs %d", n)
	}
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("func main() { fmt.Println(\"hello\", 42) } // 説明\n", 1000)
	Count(text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Count(text)
	}
}
