package index

import (
	"strings"
	"sync"
)

// idle words of a question tell nothing about code.
var idle = set("a an the of to in on at by for from with without and or not no is are was were be been being it its this that these those " +
	"as if then than so such which who whom whose what when where why how does do did done can could should would will shall may might must " +
	"there here i we you they he she his her our your their me us them any all some each every both either neither other another into onto " +
	"about after before between during only also just very more most much many few less least same own up down out off over under again once " +
	"has have had having but because until while via per please find show tell give want need code codebase implemented implementation defined " +
	"located handled using used uses use fix fixes fixed given specified certain following otherwise whenever")

// greetings are words of messages that ask for nothing.
var greetings = set("hi hello hey good morning afternoon evening night bye thanks thank ok okay yes no great nice welcome cheers")

// wholes are words of questions about the project as a whole; makings are those that ask for something new or other.
var (
	wholes  = set("project codebase repository repo overview architecture structure")
	makings = set("add support implement introduce extend create change modify allow rename replace let give insert append edit new")
)

// means gives other words that code uses for a word, by its term.
var means = sync.OnceValue(func() map[term][]string {
	m := map[term][]string{}
	for line := range strings.Lines(sameWords) {
		words, others, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(words) {
			m[nameTerm(w)] = strings.Fields(others)
		}
	}
	return m
})

const sameWords = `buffer: buf
string: str
length size: len
message: msg
context: ctx
configuration configure config: config cfg settings options
settings setting: config options
options option: opts config
parameter: param arg
argument: arg param
directory: dir folder
folder: dir directory
environment: env
variable: var
function callback: func fn cb
callback: cb fn
pointer: ptr
number numeric: num
index: idx
initialize initialise initialization: init
temporary: temp tmp
database: db sqlite store
authentication authenticate authorization: auth login
login: auth signin
password: passwd pwd
request: req
response: resp res
source: src
destination target: dst dest
maximum largest: max
minimum smallest: min
previous: prev
current: cur now
value: val
error failure: err
command: cmd
reference: ref
document documentation: doc
specification: spec
application: app
repository: repo
synchronize synchronous: sync
asynchronous: async
concatenate: join concat
delete: remove rm
remove removal: delete strip
discard: drop
create creation construct: new make
return retrieve obtain fetch: get
convert conversion transform: to
character: char rune
integer: int
boolean: bool
package: pkg
expression: expr
statement: stmt
declaration declare: decl
identifier: ident id
attribute: attr
element: elem el
position: pos
regular: reg regex regexp
address: addr
connection: conn
server: srv
certificate: cert
signature: sig
generate: gen
memory: mem
allocate: alloc
calculate compute: calc compute
information: info
property properties: prop
object: obj
array: arr slice list
button: btn
image: img
difference: diff
compare: diff cmp equal
write: save put
save: write store
whether check determine true test: is has
shut: close stop
begin: start
start: begin
stop: close
execute: exec run
invoke: call
register: add
append: push add
insert: add
locate: find
todo: task
task: todo
undo: restore revert
search lookup: find
priority: prio
milliseconds: ms
separator delimiter: sep
javascript: js
typescript: ts
timestamp: ts
duplicate: unique uniq dedupe
copy duplicate: clone
dependency dependencies: dep
version: ver
escape: esc
parse: read decode
print: format
`

// japanese words of programming, with what code calls them; the first counts most.
var japanese = []struct{ word, english string }{
	{"検索", "search find query"}, {"索引", "index"}, {"設定", "config settings option"}, {"読み込", "load read"}, {"読む", "read"}, {"読み取", "read"}, {"書き込", "write save"},
	{"書く", "write"}, {"保存", "save store write"}, {"削除", "delete remove"}, {"消す", "delete remove"}, {"追加", "add append insert"}, {"更新", "update refresh"}, {"変更", "change modify edit"},
	{"編集", "edit"}, {"作成", "create new make"}, {"生成", "generate create"}, {"一覧", "list"}, {"表示", "show display render view"}, {"画面", "screen view page"},
	{"入力", "input"}, {"出力", "output print"}, {"認証", "auth login"}, {"ログイン", "login auth"}, {"ユーザ", "user"}, {"利用者", "user"}, {"権限", "permission role"},
	{"承認", "approve gate grant"}, {"許可", "allow permit grant"}, {"拒否", "deny reject refuse"}, {"優先度", "priority"}, {"優先", "priority"}, {"期限", "due deadline"},
	{"日付", "date"}, {"時刻", "time"}, {"時間", "time duration"}, {"名前", "name"}, {"文字列", "string text"}, {"文字", "char rune"}, {"数値", "number"}, {"整数", "int integer"},
	{"配列", "array slice list"}, {"関数", "function func"}, {"変数", "variable var"}, {"定数", "const"}, {"型", "type"}, {"構造体", "struct"}, {"引数", "argument arg param"},
	{"戻り値", "return result"}, {"例外", "exception error"}, {"エラー", "error err"}, {"失敗", "fail error"}, {"成功", "success ok"},
	{"実行", "run execute exec"}, {"開始", "start begin"}, {"終了", "exit stop end close"}, {"停止", "stop"}, {"中断", "cancel interrupt abort"}, {"再開", "resume continue"},
	{"再試行", "retry"}, {"取り消", "undo cancel revert"}, {"元に戻", "undo restore revert"}, {"復元", "restore"}, {"差分", "diff"}, {"比較", "compare equal"}, {"変換", "convert"},
	{"解析", "parse analyze"}, {"構文", "syntax parse"}, {"字句", "lex token scan"}, {"圧縮", "compress compact"}, {"展開", "expand extract"}, {"暗号", "crypt encrypt cipher"},
	{"復号", "decrypt decode"}, {"符号", "encode sign"}, {"署名", "sign signature"}, {"検証", "verify validate check"}, {"確認", "confirm check"}, {"検査", "check validate"},
	{"通信", "network connection"}, {"接続", "connect connection conn"}, {"送信", "send submit"}, {"受信", "receive"}, {"要求", "request"}, {"応答", "response reply"}, {"返信", "reply"},
	{"通知", "notify notification"}, {"サーバ", "server"}, {"クライアント", "client"}, {"データベース", "database db sqlite"}, {"表", "table"}, {"列", "column"}, {"行", "line row"},
	{"記録", "record log"}, {"履歴", "history"}, {"ログ", "log"}, {"監査", "audit"}, {"ファイル", "file"}, {"フォルダー", "folder dir directory"}, {"ディレクトリ", "directory dir"},
	{"経路", "path route"}, {"道", "path"}, {"並べ替え", "sort order"}, {"整列", "sort"}, {"順", "order sort"}, {"絞り込", "filter"}, {"抽出", "extract filter"}, {"集計", "aggregate count sum"},
	{"合計", "total sum"}, {"平均", "average mean"}, {"計算", "calculate compute"}, {"乱数", "random rand"}, {"待", "wait"}, {"並行", "concurrent"}, {"並列", "parallel"}, {"排他", "lock mutex"},
	{"同期", "sync"}, {"非同期", "async"}, {"キャッシュ", "cache"}, {"メモリ", "memory"}, {"接頭", "prefix"}, {"接尾", "suffix"}, {"部分", "part sub"}, {"分割", "split"}, {"結合", "join merge concat"},
	{"置換", "replace"}, {"一致", "match equal"}, {"正規表現", "regexp regex"}, {"テスト", "test"}, {"試験", "test"}, {"計画", "plan"}, {"手順", "step procedure"}, {"段階", "step stage"}, {"状態", "state status"},
	{"命令", "command instruction"}, {"コマンド", "command cmd"}, {"引用", "quote"}, {"端末", "terminal tty"}, {"色", "color"}, {"幅", "width"}, {"高さ", "height"}, {"言語", "language lang"}, {"翻訳", "translate"},
	{"道具", "tool"}, {"ツール", "tool"}, {"模型", "model"}, {"モデル", "model"}, {"会話", "conversation session"}, {"質問", "question ask"}, {"回答", "answer"}, {"要約", "summary"}, {"予算", "budget"}, {"制限", "limit"},
	{"上限", "limit max"}, {"下限", "min"}, {"最大", "max"}, {"最小", "min"}, {"無視", "ignore"}, {"除外", "exclude ignore"}, {"登録", "register"}, {"注文", "order"}, {"商品", "product item"}, {"価格", "price"},
	{"支払", "payment pay"}, {"在庫", "stock inventory"}, {"顧客", "customer"}, {"画像", "image"}, {"添付", "attach"}, {"印刷", "print"}, {"複製", "copy clone"}, {"移動", "move"}, {"改名", "rename"}, {"鍵", "key"}, {"秘密", "secret"},
	{"完了", "done complete"}, {"未完了", "pending open"}, {"担当", "assignee owner"}, {"分類", "category classify"}, {"タグ", "tag label"}, {"移行", "migrate migration"}, {"依存", "depend dependency"}, {"循環", "cycle"},
}
