package state

import (
	"regexp"

	"nebula/internal/lazy"
)

// namesJapanese are paths and what they are, deedsJapanese are verbs of changing as they stand before their endings.
const (
	namesJapanese = `((?:[A-Za-z0-9_@+*./-]*[./][A-Za-z0-9_@+*./-]*[\x60」』]?(?:、|と|や|,|\s)*)+)(?:の?(?:ファイル|フォルダー?|ディレクトリ|中身?|下|配下))?`
	deedsJapanese = `(?:変更|編集|修正|更新|追加|対応|直|変え|書き換え|書き込)`
)

// japanese are the ways in which a sentence forbids changes: of what it names, or, where it says so, of all else.
var japanese = [...]struct {
	of      func() *regexp.Regexp
	but     bool // what is named alone may change
	besides bool // what is named is left out of an order
}{
	{of: lazy.Regexp(namesJapanese + `(以外|を除いて|を除き)?の?(?:は|を|に|には|も|へ|だけ)*[^。]{0,12}?(触らない|触れない|触るな|変更しない|変更するな|変更(?:は|を)しない|変更を加えない|変更(?:は|を)?(?:禁止|不可)|編集(?:は|を)?(?:禁止|不可)|編集しない|編集するな|変えない|いじらない|修正しない|更新しない|書き換えない|書き込まない|手を(?:付けない|つけない|出さない|触れない|加えない)|手出ししない|削除しない|消さない|消すな)(?:で|こと|よう|です|$|[。、!！\s])`)},
	{of: lazy.Regexp(namesJapanese + `(以外)?(?:は|を|:|：)\s*[^。、]{0,8}?(そのまま(?:に|で|$|。)|読み取り専用(?:で|と|です|$|。)|対象外(?:で|に|と|です|$|。)|ノータッチ)`)},
	{of: lazy.Regexp(namesJapanese + `()(?:は|を|も)[^。、]{0,4}?((?:自分|私|わたし|僕|俺|こちら)(?:で|が)[^。、]{0,8}?(?:やる|やります|対応し|直し|変更し|編集し|書き|行い))`)},
	{of: lazy.Regexp(namesJapanese + `()(?:だけ|のみ)(?:を|は|が|に)?[^。、]{0,8}?(` + deedsJapanese + `|触)(?:し|す|可|の対象|て|っ|み|$)`), but: true},
	{of: lazy.Regexp(namesJapanese + `(以外|を除いて|を除き|を除く)の?[^。、]{0,10}?(` + deedsJapanese + `)(?:し|て|す|ん)`), besides: true},
}
