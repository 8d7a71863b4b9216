package state

// Verbs of changing in German, French and Spanish: deDo as they stand at the end, deDone what was done, deOrder, frOrder and esOrder as an
// order begins.
const (
	deDo    = `(?:anfassen|anrühren|berühren|antasten|(?:ver|ab|um)?ändern|bearbeiten|editieren|modifizieren|(?:über|um)schreiben|anpassen|aktualisieren|ersetzen|formatieren)`
	deDone  = `(?:angefasst|angerührt|berührt|angetastet|(?:ver|ab|um)?geändert|verändert|bearbeitet|editiert|modifiziert|überschrieben|umgeschrieben|angepasst|aktualisiert|ersetzt|formatiert)`
	deOrder = `(?:fass|rühr|(?:ver)?änder|bearbeit|editier|modifizier|überschreib|aktualisier|pass|ersetz|formatier|berühr)(?:e|en sie)?`
	deStill = `(?:in ruhe|unverändert|unangetastet|unberührt|(?:so,? ?)?wie (?:sie|es|er) (?:ist|sind)|so)`
	frOrder = `(?:(?:re)?touche|modifie|change|édite|alt[èé]re|écrase|remplace|reformate|corrige|réécri)(?:s|z|vez)?`
	frDo    = `(?:(?:re)?toucher|modifier|changer|éditer|altérer|écraser|remplacer|reformater|réécrire)`
	esDo    = `(?:tocar|modificar|cambiar|editar|alterar|sobre?escribir|sobrescribir|reescribir|actualizar|reemplazar)`
	esNot   = `(?:(?:toque|modifique|cambie|edite|altere|sobre?escriba|sobrescriba|reescriba|actualice|reemplace)[sn]?|` + esDo + `)`
	esOrder = `(?:toca|modifica|cambia|edita|altera|sobrescribe|reescribe|actualiza|reemplaza|arregla)r?`
)

// tongueRows say in English what is forbidden, or allowed again, in other languages.
var tongueRows = []rewording{
	{" und | oder | noch | et | ou | ni | y | o ", `{1},? (?:und|oder|noch|et|ou|ni|y|o) {die}{1}`, "$1 and $2"},
	{" si | sauf si| sans | sin | salvo | a menos ", `((?:\bne |\bn'|\bno ).*?` + wordedPath + `),? (?:si|sauf si|sans|sin|salvo|a menos) `, "$1 unless "},
	{"nicht|nie|keinen", `{B}{die}(?:du (?:darfst|sollst) |sie dürfen )?{die}{P} (?:bitte )?(?:nicht|nie|niemals|(?:auf|unter) keinen (?:fall|umständen)) {deDo}{E}`, "${1}never touch $2$3"},
	{"nicht|nie|keinen", `{B}{die}{deOrder} {die}{P} (?:bitte )?(?:nicht|nie|niemals|auf keinen fall)(?: (?:an|um))?{E}`, "${1}never touch $2$3"},
	{"lass|halte", `{B}{die}(?:(?:be)?lass(?:e|en sie)?|halte) {die}{P} (?:bitte )?{deStill}{E}`, "${1}never touch $2$3"},
	{"werden", `{P} (?:darf|dürfen|soll|sollen|sollte) (?:nicht|nie|niemals) {deDone} werden{E}`, "$1 must not be changed$2"},
	{"bleib", `{P} (?:(?:muss|müssen|soll|sollen|sollte) {deStill} bleiben|bleib(?:t|en) {deStill}){E}`, "$1 must not be changed$2"},
	{"ohne ", `\bohne {die}{P} (?:zu {deDo}|(?:anzu|umzu)\S+en)`, "without touching $1"},
	{"finger weg", `\bfinger weg von {die}{P}`, "hands off $1"},
	{"nur |ausschließlich", `{B}{die}(?:nur|ausschließlich) {die}{P} {deDo}{E}`, "${1}only change $2$3"},
	{"nur ", `{B}{die}{deOrder} {die}nur {die}{P}{E}`, "${1}only change $2$3"},
	{" pas | jamais ", `{B}(?:merci )?(?:de )?n(?:e |')(?:{frOrder} (?:surtout )?(?:pas|jamais)|(?:surtout )?(?:pas|jamais) {frDo}) {die}{P}`, "${1}never touch $2"},
	{"sans ", `\bsans {frDo} {die}{P}`, "without touching $1"},
	{"laisse|garde", `{B}(?:laisse|garde)z? {die}{P} (?:tel(?:le)?s? quel(?:le)?s?|(?:en )?paix|tranquilles?|intacte?s?|inchangée?s?|comme (?:il|elle) est){E}`, "${1}never touch $2$3"},
	{" pas | jamais |rester", `{P} (?:ne (?:doi(?:t|vent)|peu(?:t|vent)) (?:pas|jamais) être (?:(?:modifi|chang|touch|édit|altér|écras)é|réécrit)e?s?|doi(?:t|vent) rester (?:tel(?:le)? quel(?:le)?|intacte?|inchangée?)s?){E}`, "$1 must not be changed$2"},
	{" que ", `{B}ne {frOrder} que {die}{P}{E}`, "${1}only change $2$3"},
	{"toque|toca|modifi|cambi|edite|editar|altere|alterar|scrib|actuali|reempla", `{B}(?:por favor,? )?(?:no|nunca) {esNot} {die}{P}`, "${1}never touch $2"},
	{"sin ", `\bsin {esDo} {die}{P}`, "without touching $1"},
	{"deja|deje|mantén", `{B}(?:dej(?:a|e|ad|ar)|mantén) {die}{P} (?:(?:tal )?como está|en paz|tal cual|intact[oa]|sin (?:cambios|tocar)){E}`, "${1}never touch $2$3"},
	{" no ", `{P} no (?:se (?:(?:debe|puede) {esDo}|toca|modifica|cambia|edita)|(?:debe|puede) (?:{esDo}se|ser \S+ad[oa])){E}`, "$1 must not be changed$2"},
	{"solo |sólo ", `{B}(?:s[oó]lo {esOrder}|{esOrder} s[oó]lo) {die}{P}{E}`, "${1}only change $2$3"},
	// What lets go of it.
	{"änder|bearbeit|editier|modifizier|schreib|aktualisier", `{B}(?:jetzt |nun |doch )?{die}(?:(?:ver)?änder|bearbeit|editier|modifizier|überschreib|aktualisier)(?:e|en sie)? (?:jetzt |nun |doch |auch )?{die}{P}(?: (?:jetzt|nun|doch|auch))?{E}`, "${1}change $2$3"},
	{"darfst|dürfen", `{B}(?:jetzt )?(?:du darfst|sie dürfen|darfst du) (?:jetzt |nun |doch |auch )?{die}{P} (?:jetzt |nun |doch |auch )?{deDo}{E}`, "${1}you may change $2$3"},
	{"modifi|édit|corrige|maintenant", `{B}(?:maintenant,? )?(?:(?:tu peux|vous pouvez) (?:maintenant )?(?:modifier|changer|éditer|corriger)|(?:modifie|édite|corrige)z?)(?: maintenant)? {die}{P}`, "${1}change $2"},
	{"modifi|cambia|edita|actualiza|arregla", `{B}(?:ahora,? )?(?:(?:ya )?(?:puedes|puede) )?(?:modifica|cambia|edita|actualiza|arregla)r?(?: ahora)? {die}{P}`, "${1}change $2"},
}
