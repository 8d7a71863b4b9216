package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula/internal/workspace"
)

// folder makes a project of the files and its index.
func folder(t testing.TB, files map[string]string) (*Index, string) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		write(t, root, name, text)
	}
	return indexOf(t, root, filepath.Join(t.TempDir(), "x.db")), root
}

func indexOf(t testing.TB, root, file string) *Index {
	t.Helper()
	dir, err := workspace.Open(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := New(dir, file)
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		dir.Close()
	})
	return x
}

func write(t testing.TB, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// found are the paths of a question's answer.
func found(t testing.TB, x *Index, question string) []string {
	t.Helper()
	a, err := x.Search(context.Background(), question, 8)
	if err != nil {
		t.Fatalf("%q: %v", question, err)
	}
	var paths []string
	for _, p := range a.Places {
		if !slices.Contains(paths, p.Path) {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

func first(t testing.TB, x *Index, question, want string) {
	t.Helper()
	if got := found(t, x, question); len(got) == 0 || got[0] != want {
		t.Errorf("%q: %v, not %s first", question, got, want)
	}
}

var shop = map[string]string{
	"cart/cart.go":      "package cart\n\n// AddItem puts a product into the cart.\nfunc AddItem(c *Cart, p Product) { c.items = append(c.items, p) }\n\ntype Cart struct{ items []Product }\n",
	"cart/cart_test.go": "package cart\n\nfunc TestAddItem(t *testing.T) { AddItem(nil, nil); AddItem(nil, nil) }\n",
	"auth/login.py":     "def check_password(user, password):\n    # パスワードを検証する\n    return hash(password) == user.hash\n",
	"web/server.js":     "export async function handleHTTPRequest(req, res) {\n  res.end('ok');\n}\n",
	"docs/guide.md":     "# 使い方\n\n優先度を付けるには設定を開く。\n\n# Installing\n\nRun make.\n",
	"store/db.rs":       "pub fn save_order(o: &Order) -> Result<()> {\n    conn.execute(\"insert\")\n}\n",
}

func TestAQuestionFindsTheDefinition(t *testing.T) {
	x, _ := folder(t, shop)
	for question, want := range map[string]string{
		"put a product into the cart":       "cart/cart.go",
		"AddItem":                           "cart/cart.go",
		"add_item":                          "cart/cart.go",
		"test AddItem":                      "cart/cart_test.go",
		"where are passwords checked?":      "auth/login.py",
		"パスワードの検証":                          "auth/login.py",
		"検証":                                "auth/login.py",
		"優先度":                               "docs/guide.md",
		"度":                                 "docs/guide.md",
		"handling of http requests":         "web/server.js",
		"handleHTTPRequest(req, res)":       "web/server.js",
		"注文を保存する":                           "store/db.rs",
		"store/db.rs":                       "store/db.rs",
		"how do I install this":             "docs/guide.md",
		strings.Repeat("saving orders ", 9): "store/db.rs",
	} {
		first(t, x, question, want)
	}
}

func TestJapaneseAndChineseAreFound(t *testing.T) {
	x, _ := folder(t, map[string]string{
		"login.go":  "package a\n\n// guard は利用者がログインに失敗した回数を数え、五回で締め出す。\nfunc guard(n int) bool { return n < 5 }\n",
		"print.go":  "package a\n\n// out は請求書を紙に印刷する。用紙はＡ４とする。\nfunc out() {}\n",
		"mail.py":   "def send(to):\n    # 領収書をメールで送る。失敗したら一時間後にもう一度送る。\n    pass\n",
		"conf.ts":   "// 读取配置文件，并检查每一个字段的类型。\nexport function load(path: string) {}\n",
		"cache.ts":  "// 缓存最近使用的图片，超过上限时删除最旧的。\nexport function keep(key: string) {}\n",
		"무게.rs":     "// 상품의 무게를 계산한다.\npub fn weigh() {}\n",
		"guide.md":  "# 導入手順\n\nデータベースを用意し、接続先を環境変数で指定します。\n\n# 困ったときは\n\nサーバーを再起動してください。\n",
		"readme.md": "# はじめに\n\nこれは帳簿を付けるための道具です。猫の写真はありません。\n",
	})
	for question, want := range map[string]string{
		"ログインに失敗した回数": "login.go", "締め出す": "login.go", "ログインに失敗した回数はどこで数えていますか": "login.go", "締": "login.go", "五回": "login.go",
		"請求書の印刷": "print.go", "紙": "print.go", "Ａ４": "print.go", "領収書をメールで送る処理": "mail.py", "一時間後にもう一度": "mail.py", "領": "mail.py",
		"配置文件": "conf.ts", "检查字段类型": "conf.ts", "在哪里读取配置": "conf.ts", "类": "conf.ts", "最近使用的图片": "cache.ts", "缓存": "cache.ts", "旧": "cache.ts",
		"무게": "무게.rs", "상품의 무게를 계산": "무게.rs", "環境変数で接続先を指定": "guide.md", "再起動": "guide.md", "サーバーの再起動の仕方": "guide.md", "猫": "readme.md", "帳簿": "readme.md",
		"failed logins 回数": "login.go", "guard関数": "login.go",
	} {
		first(t, x, question, want)
	}
	for _, question := range []string{"鯨", "鯨類", "存在しない語鯨"} {
		for _, path := range found(t, x, question) {
			if question != "存在しない語鯨" {
				t.Errorf("%s: %s", question, path)
			}
		}
	}
}

func TestCopiesAreOnePlace(t *testing.T) {
	clone := "export function deepClone(value) {\n  return structuredClone(value);\n}\n"
	x, _ := folder(t, map[string]string{"lib/cjs/clone.js": clone, "lib/esm/clone.js": clone, "lib/umd/clone.js": clone, "a/clone.js": "export function deepClone(other) {\n  return other;\n}\n"})
	a, err := x.Search(context.Background(), "deep clone of a value", 8)
	if err != nil || len(a.Places) != 2 || len(a.Places[0].Copies) != 2 {
		t.Fatal(a, err)
	}
	if text, _ := x.Show("deep clone of a value", a, 1000, func(s string) int { return len(s) / 3 }); !strings.Contains(text, "func deepClone, the same in lib/") {
		t.Error(text)
	}
}

func TestAWholeNameSaysMoreThanAPart(t *testing.T) {
	x, _ := folder(t, map[string]string{
		"a/guard.js":  "export function isDate(x) {\n  return x instanceof Date;\n}\n",
		"b/format.js": "export function toLocaleDateStringWithZone(x) {\n  // a date is a date\n  return x.date + x.date;\n}\n",
	})
	first(t, x, "whether it is a date", "a/guard.js")
}

func TestAPartOfTheProjectIsAskedFor(t *testing.T) {
	files := map[string]string{}
	for _, dir := range []string{"a", "b/parser", "lib/reader", "z"} {
		files[dir+"/code.go"] = "package x\n\nfunc SkipHeader() { header() }\n"
		files[dir+"/more.go"] = "package x\n\nfunc Header() { skip(); header() }\n"
	}
	x, _ := folder(t, files)
	first(t, x, "lib/reader: skip an empty header", "lib/reader/code.go")
	first(t, x, "how does b/parser skip a header?", "b/parser/code.go")
	first(t, x, "fix(parser): skip the header", "b/parser/code.go")
	first(t, x, "z: skip the header", "z/code.go")
}

func TestAnAnswerShowsWhatStandsThereNow(t *testing.T) {
	x, root := folder(t, shop)
	a, err := x.Search(context.Background(), "put a product into the cart", 3)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "cart/cart.go", "package cart\n\n\n\n\nfunc AddItem(c *Cart, p Product) { c.put(p) }\n")
	text, refs := x.Show("product cart", a, 1000, func(s string) int { return len(s) / 3 })
	if !strings.Contains(text, "6: func AddItem(c *Cart, p Product) { c.put(p) }") {
		t.Error(text)
	}
	if len(refs) == 0 || refs[0].Path != "cart/cart.go" || fmt.Sprint(refs[0].Lines) != "[[6 6]]" {
		t.Error(refs)
	}
	for budget := range 200 {
		if text, _ := x.Show("product cart", a, budget+40, func(s string) int { return len(s) / 3 }); len(text)/3 > budget+40 {
			t.Fatalf("%d tokens of %d", len(text)/3, budget+40)
		}
	}
}

func TestChangesAreFoundAtOnce(t *testing.T) {
	x, root := folder(t, shop)
	first(t, x, "save order", "store/db.rs")
	for i := range 40 {
		name := fmt.Sprintf("new/part%d.go", i)
		write(t, root, name, fmt.Sprintf("package new\n\nfunc Zebra%dCrossing() {}\n", i))
		time.Sleep(settled)
		first(t, x, fmt.Sprintf("Zebra%dCrossing", i), name)
	}
	if err := os.Remove(filepath.Join(root, "new/part3.go")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(settled)
	if got := found(t, x, "Zebra3Crossing"); slices.Contains(got, "new/part3.go") {
		t.Error("what is gone was found", got)
	}
	write(t, root, "store/db.rs", "pub fn giraffe() {}\n")
	time.Sleep(settled)
	first(t, x, "giraffe", "store/db.rs")
	first(t, x, "Zebra7Crossing", "new/part7.go")
	if len(x.segments) > manySmall+2 {
		t.Errorf("%d segments", len(x.segments))
	}
}

func TestSameSizeAndTimeIsNoticed(t *testing.T) {
	x, root := folder(t, map[string]string{"a.txt": "alpha word"})
	first(t, x, "alpha", "a.txt")
	info, err := os.Stat(filepath.Join(root, "a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "a.txt", "gamma word")
	if err := os.Chtimes(filepath.Join(root, "a.txt"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(settled)
	first(t, x, "gamma", "a.txt")
}

func TestIgnoredFilesAreNotFound(t *testing.T) {
	x, _ := folder(t, map[string]string{".gitignore": "secret/\n", "secret/a.go": "package secret // walrus\n", "b.go": "package b // walrus\n", ".nebula/x.go": "package walrus\n"})
	if got := found(t, x, "walrus"); len(got) != 1 || got[0] != "b.go" {
		t.Error(got)
	}
}

func TestADamagedIndexIsMadeAnew(t *testing.T) {
	x, root := folder(t, shop)
	first(t, x, "save order", "store/db.rs")
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(x.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"text": []byte("this is no database at all"), "half": whole[:len(whole)/2], "empty": {},
		"holes": func() []byte {
			d := slices.Clone(whole)
			for i := 4096; i < len(d); i++ {
				d[i] ^= 0x5a
			}
			return d
		}(),
	} {
		file := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		y := indexOf(t, root, file)
		a, err := y.Search(context.Background(), "save order", 3)
		if err != nil || len(a.Places) == 0 || a.Places[0].Path != "store/db.rs" {
			t.Errorf("%s: %v %v", name, a, err)
		}
		if name != "empty" && !strings.Contains(a.Age.String(), "made anew") {
			t.Errorf("%s: %s", name, a.Age)
		}
		if a, _ = y.Search(context.Background(), "save order", 3); strings.Contains(a.Age.String(), "made anew") {
			t.Errorf("%s: said twice", name)
		}
	}
}

func TestADamagedCountIsMadeAnew(t *testing.T) {
	x, root := folder(t, shop)
	first(t, x, "save order", "store/db.rs")
	err := x.writer.Exec("UPDATE facts SET value=0 WHERE name='segment'")
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "one.go", "package one // pelican\n")
	time.Sleep(settled)
	first(t, x, "pelican", "one.go")
	first(t, x, "save order", "store/db.rs")
}

func TestAForeignDatabaseIsMadeAnew(t *testing.T) {
	x, root := folder(t, shop)
	first(t, x, "save order", "store/db.rs")
	err := x.writer.Exec("PRAGMA user_version=77")
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	y := indexOf(t, root, x.path)
	a, err := y.Search(context.Background(), "save order", 3)
	if err != nil || len(a.Places) == 0 || !strings.Contains(a.Age.Notice.String(), "made anew") {
		t.Error(a, err)
	}
}
