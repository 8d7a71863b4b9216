package state

import (
	"strings"

	"nebula/internal/lazy"
)

// namesJapanese are paths and what they are, deedsJapanese are verbs of changing as they stand before their endings.
const (
	namesJapanese  = `((?:[A-Za-z0-9_@+*./-]*[./][A-Za-z0-9_@+*./-]*[\x60」』]?(?:、|と|や|,|\s)*)+)(?:の?(?:ファイル|フォルダー?|ディレクトリ|中身?|下|配下))?`
	deedsJapanese  = `(?:整理|整形|フォーマット|リファクタ(?:リング)?|変更|編集|修正|更新|追加|対応|直|変え|書き換え|書き込)`
	doneToJapanese = `(?:変更|編集|修正|更新|上書き|削除|追記|移動|手出し)(?:は|を)?`
	refusedDeeds   = `(?:(?:触[られ]|変更を加え|変え|いじら|書き換え|書き込ま|直さ|消さ|動かさ|手を(?:付け|つけ|出さ|触れ|加え|入れ)|` + doneToJapanese + `し)ない|(?:触れ?る|変更を加える|変える|いじる|書き換える|書き込む|直す|消す|動かす|手を(?:付ける|つける|出す|触れる|加える|入れる)|` + doneToJapanese + `する)な|(?:触|変え|いじ|書き換え|直)んな)`
	needlessDeeds  = `(?:触ら|変え|いじら|書き換え|直さ|` + doneToJapanese + `し)なくても?(?:いい|よい|良い|結構|構わない|大丈夫)(?:です|よ|から)*(?:$|[。、!！」』）\s])`
)

// japanese are the ways in which a sentence forbids changes: of what it names, or, where it says so, of all else.
var japanese = [...]struct {
	of      *lazy.Pattern
	but     bool // what is named alone may change
	leaves  bool // it says without what the rest is to be done
	besides bool // what is named is left out of an order
}{
	{of: &lazy.Pattern{X: namesJapanese + `(以外|を除いて|を除き)?の?(?:は|を|に|には|も|へ|だけ)*[^。]{0,12}?(` + refusedDeeds + `(?:で|こと|よう|です|よ|ね|$|[。、!！」』）)\s])|(?:変更|編集|修正|上書き)(?:は|を)?(?:禁止|不可)|` + needlessDeeds + `)`}},
	{of: &lazy.Pattern{X: namesJapanese + `(以外)?(?:は|を|に|には|も)*[^。、]{0,6}?((?:触ら|触れ|変更せ|変更を加え|編集せ|修正せ|更新せ|変え|いじら|書き換え|手を(?:付け|つけ|出さ|触れ|加え)|手出しせ|削除せ|消さ|動かさ)ず(?:に|、|。|$))`}, leaves: true},
	{of: &lazy.Pattern{X: namesJapanese + `(以外)?(?:は|を|:|：)\s*[^。、]{0,8}?(そのまま(?:に(?:$|[^し]|し(?:$|[^な]))|で(?:[。、!！\s]|お願い|いい|よい|良い|OK|結構|構|$)|$|。)|(?:現状|今|元|もと)のまま(?:に|で(?:[。、!！\s]|お願い|いい|よい|良い|$)|$|。)|現状維持|変更なし(?:で|に|$|。)|読み取り専用(?:で|と|です|$|。)|対象外(?:で|に|と|です|$|。)|放置(?:で|して|$|。)|ノータッチ)`}},
	{of: &lazy.Pattern{X: namesJapanese + `()(?:は|を|も)[^。、]{0,4}?((?:自分|私|わたし|僕|俺|こちら)(?:で|が)[^。、]{0,8}?(?:やる|やります|対応し|直し|変更し|編集し|書き|行い))`}},
	{of: &lazy.Pattern{X: namesJapanese + `()(?:だけ|のみ)(?:を|は|が|に)?[^。、]{0,8}?(` + deedsJapanese + `|触)(?:し|す|可|の対象|て|っ|み|$)`}, but: true},
	{of: &lazy.Pattern{X: `(?:変更する|編集する|修正する|直す|書き換える|変える|(?:変更し|編集し|修正し|変え)て(?:いい|よい)|触っていい|触る)の(?:は|が)\s*` + namesJapanese + `()(だけ|のみ)(?:です|に(?:して|する)|だよ)?(?:$|[。、!！\s])`}, but: true},
	{of: &lazy.Pattern{X: namesJapanese + `(以外|を除いて|を除き|を除く)の?[^。、]{0,10}?(` + deedsJapanese + `)(?:し|て|す|ん)`}, besides: true},
}

// leaves reports whether words end with what is left out of what follows: without touching.
func leaves(words string) bool {
	words = strings.TrimRight(words, "、。")
	return strings.HasSuffix(words, "ずに") || strings.HasSuffix(words, "ず")
}

// asksBehind reports whether what follows is asked for, and is no description: fix it without committing, and not the bug that ends without
// committing.
func asksBehind(rest string) bool {
	rest = strings.Trim(rest, " 、。!！")
	return rest == "" || asking.In(rest) && !describing.In(rest)
}

var (
	asking     = &lazy.Pattern{X: `(?:て|で|修正|変更|実装|対応|整理|調査|確認|ください|下さい|願います|お願いします|お願いいたします|お願い|こと|ほしい|欲しい|たい|ように|ましょう|しろ|せよ)[ねよ]?$`}
	describing = &lazy.Pattern{X: `^[^をはがに、\s]{0,8}?(?:る|た|だ|う|く|す|む|つ|ない)(?:[ァ-ヴー一-龠A-Za-z]|の|よう|こと|もの|とき|には)`}
)
