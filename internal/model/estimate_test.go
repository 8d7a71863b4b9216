package model_test

import (
	"os"
	"strings"
	"testing"

	"nebula/internal/model"
	"nebula/internal/model/token"
)

func samples(t testing.TB) map[string]string {
	read := func(file string) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	return map[string]string{
		"go":       read("transport/fault.go"),
		"table":    read("catalogue.go"),
		"json":     read("chat/testdata/openai-chat/gpt-4o/multi-tool-streaming/1.request.json"),
		"licence":  read("chat/testdata/openai-chat/LICENSE"),
		"japanese": strings.Repeat("このプロジェクトのテストを実行して、失敗した箇所を修正してください。変更前に計画を見せること。\n", 20),
		"mixed":    strings.Repeat("`internal/model` パッケージに Retry-After を尊重する再試行を追加する。\n", 20),
		"chinese":  strings.Repeat("请阅读这个项目的代码，找出测试失败的原因并修复它。\n", 20),
		"korean":   strings.Repeat("이 프로젝트의 코드를 읽고 테스트가 실패하는 이유를 찾아 고쳐 주세요.\n", 20),
		"russian":  strings.Repeat("Прочитай код проекта и исправь ошибку в тестах.\n", 20),
		"diff":     strings.Repeat("@@ -10,7 +10,9 @@ func main() {\n-\tx := foo(bar)\n+\tx, err := foo(bar)\n+\tif err != nil {\n", 20),
		"emoji":    strings.Repeat("done ✅ 🎉🚀 next\n", 20),
	}
}

func TestEstimateIsNearAndNotTooLow(t *testing.T) {
	for name, text := range samples(t) {
		got, exact := model.Estimate(text), token.Count(text)
		ratio := float64(got) / float64(exact)
		t.Logf("%-9s %6d, exactly %6d: %.2f", name, got, exact, ratio)
		if ratio < 0.97 || ratio > 1.6 {
			t.Errorf("%s: estimated %d, is %d (%.2f)", name, got, exact, ratio)
		}
	}
}

// What single words, numbers and characters cost, at the borders of the kinds that are told apart.
func TestEstimateOfShortTexts(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 1, "words": 1, "sixsix": 1, "sevenss": 2, "twoWords": 2, "123": 1, "1234": 2, "12a": 2, "1 a": 2, "a 1": 3, "a  b": 3, "()": 2, ")": 1,
		"éééé": 2, "🎉🎉🎉🎉": 9, "\xff\xff": 4,
	} {
		if got := model.Estimate(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for r, want := range map[rune]int{ // four of them
		0x303F: 5, 0x3040: 3, 0x30FF: 3, 0x3100: 5, 0xABFF: 5, 0xAC00: 3, 0xD7AF: 3, 0xD7B0: 5, 0x4DFF: 5, 0x4E00: 4, 0x9FFF: 4, 0xA000: 5,
	} {
		if got := model.Estimate(strings.Repeat(string(r), 4)); got != want {
			t.Errorf("%U: %d, want %d", r, got, want)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	text := samples(b)["go"]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		model.Estimate(text)
	}
}
