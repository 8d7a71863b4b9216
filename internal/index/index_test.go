package index

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

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
	x.writing.Lock()
	err := x.writer.Exec("UPDATE facts SET value=0 WHERE name='segment'")
	x.writing.Unlock()
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
	x.writing.Lock()
	err := x.writer.Exec("PRAGMA user_version=77")
	x.writing.Unlock()
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

func TestTwoProcessesShareAnIndex(t *testing.T) {
	x, root := folder(t, shop)
	y := indexOf(t, root, x.path)
	first(t, x, "save order", "store/db.rs")
	first(t, y, "save order", "store/db.rs")
	write(t, root, "one.go", "package one // pelican\n")
	time.Sleep(settled)
	first(t, x, "pelican", "one.go")
	first(t, y, "pelican", "one.go")
	write(t, root, "one.go", "package one // ostrich\n")
	time.Sleep(settled)
	first(t, y, "ostrich", "one.go")
	first(t, x, "ostrich", "one.go")
	if got := found(t, x, "pelican"); len(got) != 0 {
		t.Error(got)
	}
}

// TestTwoProcessesBuildAtOnce starts this test twice as a process of its own, each of which builds the same index.
func TestTwoProcessesBuildAtOnce(t *testing.T) {
	if root := os.Getenv("NEBULA_TEST_BUILD"); root != "" {
		x := indexOf(t, root, filepath.Join(root, "..", "shared.db"))
		for i := range 8 {
			write(t, root, fmt.Sprintf("by%d/f%d.go", os.Getpid(), i), fmt.Sprintf("package f\n\nfunc Process%dFile%d() {}\n", os.Getpid(), i))
			if _, err := x.Refresh(context.Background(), time.Minute); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	root := filepath.Join(t.TempDir(), "project")
	for i := range 400 {
		write(t, root, fmt.Sprintf("d%d/f%d.go", i%20, i), fmt.Sprintf("package d\n\n// Zebra%d crosses.\nfunc Zebra%dCrossing() {}\n", i, i))
	}
	var started []*exec.Cmd
	for range 2 {
		c := exec.Command(os.Args[0], "-test.run=^TestTwoProcessesBuildAtOnce$")
		c.Env = append(os.Environ(), "NEBULA_TEST_BUILD="+root)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		started = append(started, c)
	}
	for _, c := range started {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	x := indexOf(t, root, filepath.Join(root, "..", "shared.db"))
	a, err := x.Search(context.Background(), "Zebra7Crossing", 3)
	if err != nil || len(a.Places) == 0 || a.Places[0].Path != "d7/f7.go" || a.Age.Files != 416 || a.Age.Notice.Format != "" {
		t.Fatal(a, err)
	}
	for _, c := range started {
		name := fmt.Sprintf("Process%dFile7", c.Process.Pid)
		first(t, x, name, fmt.Sprintf("by%d/f7.go", c.Process.Pid))
	}
	files := 0
	for _, s := range x.segments {
		for _, m := range s.files {
			if !m.dead {
				files++
			}
		}
	}
	if files != 416 {
		t.Errorf("%d files live in the segments, of 416", files)
	}
	if left, _ := filepath.Glob(filepath.Join(root, "..", "*.lock")); len(left) != 0 {
		t.Error("left behind:", left)
	}
}

func TestAnIndexThatAnotherThrewAwayIsOpenedAnew(t *testing.T) {
	x, root := folder(t, shop)
	first(t, x, "save order", "store/db.rs")
	for _, part := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(x.path + part)
	}
	y := indexOf(t, root, x.path)
	first(t, y, "save order", "store/db.rs")
	write(t, root, "one.go", "package one // pelican\n")
	time.Sleep(settled)
	first(t, x, "pelican", "one.go")
	first(t, y, "pelican", "one.go")
	if len(x.segments) != len(y.segments) {
		t.Error("they read different indexes")
	}
}

func TestOddFilesAreBounded(t *testing.T) {
	x, root := folder(t, map[string]string{
		"binary.bin":      "\x00\x01\x02walrus",
		"app.min.js":      strings.Repeat("function a(){return walrus};", 9000),
		"huge.txt":        strings.Repeat("walrus line\n", 400_000),
		"bad.txt":         "\xfe\xfd caf\xe9 \x80 otter\n",
		"utf16.txt":       "\xff\xfeb\x00e\x00a\x00v\x00e\x00r\x00",
		"sjis.txt":        "\x83e\x83X\x83g marmot\n",
		"deep.go":         "package deep\n" + strings.Repeat("func ", 3000),
		"braces.c":        strings.Repeat("{", 100_000) + strings.Repeat("(", 100_000),
		"名前/日本 語.py":      "def hedgehog():\n    pass\n",
		"nl\nname.txt":    "badger\n",
		"empty.go":        "",
		"made.pb.go":      "// Code generated by protoc. DO NOT EDIT.\n\npackage made\n\nfunc Lynx() {}\n",
		"hand.go":         "package hand\n\nfunc Lynx() {} // by hand\n",
		"wide.txt":        strings.Repeat("w", 1<<20) + " gopher\n",
		"odd\xffname.txt": "weasel\n",
		"many.js":         strings.Repeat("function f() { return 1 }\n", 20_000),
		"unread/file.go":  "package unread\n",
	})
	if runtime.GOOS != "windows" {
		_ = os.Symlink("..", filepath.Join(root, "unread", "loop"))
		_ = os.Symlink("nowhere", filepath.Join(root, "dangling"))
		pipe(filepath.Join(root, "pipe"))
		_ = os.Chmod(filepath.Join(root, "unread", "file.go"), 0)
	}
	for question, want := range map[string]string{
		"otter": "bad.txt", "marmot": "sjis.txt", "beaver": "utf16.txt", "hedgehog": "名前/日本 語.py", "日本": "名前/日本 語.py", "badger": "nl\nname.txt",
		"lynx": "hand.go",
	} {
		first(t, x, question, want)
	}
	for _, nothing := range []string{"walrus", "weasel", "odd"} {
		if got := found(t, x, nothing); len(got) != 0 {
			t.Error(nothing, got)
		}
	}
	for _, question := range []string{"x", "あ", "(", " ", "\x00", "\xff", "NOT AND OR *", `"'`, strings.Repeat("walrus otter ", 8000), strings.Repeat("検", 40_000)} {
		began := time.Now()
		_ = found(t, x, question)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%.20q took %v", question, took)
		}
	}
}

func TestAFolderWithoutCodeIsSearchedToo(t *testing.T) {
	x, _ := folder(t, map[string]string{"notes.txt": "buy milk\n", "letters/bank.md": "# To the bank\n\nPlease close the account.\n", "photo.jpg": "\xff\xd8\xff\xe0\x00\x10JFIF", "table.csv": "name,age\nfalcon,3\n"})
	first(t, x, "milk", "notes.txt")
	first(t, x, "account of the bank", "letters/bank.md")
	first(t, x, "falcon", "table.csv")
	first(t, x, "photo", "photo.jpg")
	if list, _, err := x.Map(context.Background(), "milk"); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	if text := x.evidence("explain this project", false, 500, func(s string) int { return len(s) / 3 }); text != "" {
		t.Error(text)
	}
}

func TestAnEmptyFolderHasNothing(t *testing.T) {
	x, _ := folder(t, nil)
	if got := found(t, x, "anything"); len(got) != 0 {
		t.Error(got)
	}
	list, _, err := x.Map(context.Background(), "anything")
	if err != nil || len(list) != 0 {
		t.Error(list, err)
	}
}

func TestTheMapStaysInItsBudget(t *testing.T) {
	x, _ := folder(t, shop)
	list, _, err := x.Map(context.Background(), "cart")
	if err != nil || len(list) == 0 || list[0].Path != "cart/cart.go" {
		t.Fatal(list, err)
	}
	for budget := range 300 {
		if n := len(Fit(list, budget, func(s string) int { return len(s) })); n > budget {
			t.Fatalf("%d of %d", n, budget)
		}
	}
	if text := Fit(list, 1000, func(s string) int { return len(s) / 3 }); !strings.Contains(text, "func AddItem(c *Cart, p Product)") {
		t.Error(text)
	}
}

func TestTheMostReferredToComesFirst(t *testing.T) {
	files := map[string]string{"core/engine.go": "package core\n\nfunc IgniteEngine() {}\n", "zed/lonely.go": "package zed\n\nfunc NobodyCalls() {}\n"}
	for i := range 30 {
		files[fmt.Sprintf("user/u%d.go", i)] = fmt.Sprintf("package user\n\nfunc use%d() { core.IgniteEngine() }\n", i)
	}
	x, _ := folder(t, files)
	list, _, err := x.Map(context.Background(), "")
	if err != nil || len(list) == 0 || list[0].Path != "core/engine.go" {
		t.Error(list, err)
	}
}

func TestEvidenceNeverHoldsARequestUp(t *testing.T) {
	x, _ := folder(t, shop)
	count := func(s string) int { return len(s) / 3 }
	if text := x.Evidence("cart", false, 500, count); text != "" {
		t.Error("without an index:", text)
	}
	first(t, x, "save order", "store/db.rs")
	x.reading.Lock()
	began := time.Now()
	text := x.Evidence("cart", false, 500, count)
	if took := time.Since(began); text != "" || took > time.Second {
		t.Errorf("%q after %v", text, took)
	}
	x.reading.Unlock()
	if text := x.Evidence("add to the cart", false, 500, count); !strings.Contains(text, "cart/cart.go: ") {
		t.Errorf("%q", text)
	}
}

func TestOnlyWhatIsClearIsToldUnasked(t *testing.T) {
	x, _ := folder(t, shop)
	count := func(s string) int { return len(s) / 3 }
	first(t, x, "save order", "store/db.rs")
	for request, want := range map[string]string{
		"hi": "", "how are you?": "", "写真": "", "is the weather good for a walk with a dog": "",
		"add an item to the cart":       "cart/cart.go: 4 AddItem(c *Cart, p Product)\n",
		"the test of adding an item":    "cart/cart_test.go: 3 TestAddItem(t *testing.T)\n",
		"checkPassword is wrong":        "auth/login.py: 1 check_password(user, password)\n",
		"パスワードの検証":                      "",
		"save the order before payment": "store/db.rs: 1 fn save_order(o: &Order) -> Result<()>\n",
	} {
		if text := x.evidence(request, false, 500, count); text != want {
			t.Errorf("%q: %q, not %q", request, text, want)
		}
	}
	text := x.evidence("add an item to the cart", true, 500, count)
	if at := strings.Index(text, "store/db.rs: "); !strings.HasPrefix(text, "cart/cart.go: 4 AddItem(") || at < 0 || strings.Count(text, "cart/cart.go: ") != 1 || count(text) > 500 {
		t.Errorf("a conversation begins with %q", text)
	}
	if text := x.evidence("hi", true, 500, count); text != "" {
		t.Errorf("a greeting is told %q", text)
	}
	text = x.evidence("explain this project", false, 500, count)
	for _, path := range []string{"cart/cart.go: AddItem", "web/server.js: ", "store/db.rs: "} {
		if !strings.Contains(text, path) {
			t.Errorf("no %s in the map: %q", path, text)
		}
	}
}

func TestNothingIsOpenedBeforeAQuestion(t *testing.T) {
	x, _ := folder(t, shop)
	x.Warm(time.Hour)
	if _, err := os.Stat(x.path); err == nil {
		t.Error("the index was made")
	}
}

// TestLayersOfAFeature reads sample projects: their comment is the layers that a priority for todos goes through.
func TestLayersOfAFeature(t *testing.T) {
	samples, err := filepath.Glob("testdata/layers/*.txtar")
	if err != nil || len(samples) < 4 {
		t.Fatal(samples, err)
	}
	for _, sample := range samples {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			archive, err := txtar.ParseFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			x, _ := folder(t, files)
			if _, err := x.Refresh(context.Background(), time.Minute); err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSpace(string(archive.Comment))
			_, of, _ := strings.Cut(want, ": ")
			for request, want := range map[string]string{
				"add a priority to todos":         want,
				"todoに優先度を追加して":                   "layers of \"todo\": " + of,
				"why is a todo slow?":             "",
				"add a colour to the thingamajig": "",
			} {
				if l, err := x.Layers(request); err != nil || l.String() != want {
					t.Errorf("%s\n got %s\nwant %s %v", request, l, want, err)
				}
			}
			count := func(s string) int { return len(s) / 3 }
			if text := x.Outlook(context.Background(), "a priority for todos", 1000, count); !strings.HasPrefix(text, want+"\n") || count(text) > 1000 {
				t.Errorf("%d tokens to plan with: %s", count(text), text)
			}
			if text := x.Outlook(context.Background(), "a thingamajig", 1000, count); !strings.HasPrefix(text, "layers of a feature that is there, \"todo") {
				t.Errorf("what is new goes like what is there: %s", text)
			}
		})
	}
}
