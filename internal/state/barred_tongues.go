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
