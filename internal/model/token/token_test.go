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
	var all []string
	for id := uint(0); id < 199_998; id++ {
		text, err := library.Decode([]uint{id})
		if err != nil {
			t.Fatalf("token %d: %v", id, err)
		}
		all = append(all, text)
	}
	if *update {
		write(t, all)
		return
	}
	if len(ranks()) != len(all) {
		t.Errorf("%d tokens, want %d", len(ranks()), len(all))
	}
	for id, text := range all {
		if rank, ok := ranks()[text]; !ok || int(rank) != id {
			t.Fatalf("token %d is %q, and stands at %d", id, text, rank)
		}
	}
}

// write writes the table as packed says it; what zopfli --deflate makes of the same bytes is 2 % smaller still, and is what stands there. Of the pairs that a token may be made of it takes the one whose ranks are lowest.
func write(t *testing.T, all []string) {
	t.Helper()
	of := make(map[string]int, len(all))
	for rank, text := range all {
		of[text] = rank
	}
	plain := []byte(strings.Join(all[:256], ""))
	var bytesOf [6][]byte
	for rank, text := range all[256:] {
		best := [2]int{len(all), len(all)}
		for k := 1; k < len(text); k++ {
			left, ok := of[text[:k]]
			right, also := of[text[k:]]
			if ok && also && max(left, right) < 256+rank && (left+1)*(right+1) < (best[0]+1)*(best[1]+1) {
				best = [2]int{left, right}
			}
		}
		if best[0] == len(all) {
			t.Fatalf("token %d, %q, is not two others", 256+rank, text)
		}
		for i := range bytesOf {
			bytesOf[i] = append(bytesOf[i], byte(best[i/3]>>(16-i%3*8)))
		}
	}
	for _, b := range bytesOf {
		plain = append(plain, b...)
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain); err != nil {
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
