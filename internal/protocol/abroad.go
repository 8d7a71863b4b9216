package protocol

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// What is said in the languages that models fall into beside English and Japanese: what takes an action back, keeps it from being done or shows
// it as an example, and what asks whether to do it. These are rows as those of standing.go; Chinese, which has no blanks, is told by parts.

// Chinese sentences whose last part says that their writer does something now, and the words with which that waits, is asked or shown all the same.
var (
	chineseDoes  = &lazy.Pattern{X: `(?:^|[，,；;。：:])(?:所以|因此|于是|那么|然后|接着|首先|并且?|这个|这条|这些)*(?:(?:让|由)?我们?(?:会|将|来|就|要|现在|马上|这就|先|继续|正在|只|立即)*|现在就?(?:开始)?|马上|这就|正在|(?:下面)?开始|接下来我?|继续|然后|只|首先|(?:按照|根据)[^，]{0,10}?要求)[^，,；;。：:不没别勿吗再]{0,14}?(?:处理|执行|删除|修改|修复|修正|清理|改正|改动?|做|进行|完成|运行|更新|创建|写入|添加|移动|继续|需要改)[^，,；;。：:不没别勿吗再？?]{0,8}[。：:！]?$`}
	chineseWaits = &lazy.Pattern{X: `吗|[？?]|等[您你待]|如果[您你需]|要是|的话|(?:同意|确认|批准)之?前|除非|尚未|还没|暂|先不|以后|后再|例如|比如|是一?个例|只是.{0,4}例|仅|可能|也许|考虑过|打算|应该|希望|[您你](?:可以|要我|自己)|请先`}
)

// saysChinese reports whether a sentence says in Chinese that its writer does something now, whatever it says before that.
func saysChinese(text string) bool {
	text = strings.TrimSpace(text)
	return chineseDoes.In(text) && !chineseWaits.In(text)
}

// grantsChinese is that leave was given.
var grantsChinese = &lazy.Pattern{X: `(?:已经?|既然|刚才|得到)[^，。]{0,8}(?:同意|确认|批准)|[您你](?:已经?|刚才)(?:同意|确认|批准)`}

// asksChinese is a question whether something may be done.
var asksChinese = &lazy.Pattern{X: `(?:可以|能|要|应该)[^，,。；;]{0,24}(?:吗|[？?])`}

// laterChinese puts off, or thinks again.
var laterChinese = &lazy.Pattern{X: `(?:明天|后天|改天|回头|过几天|下周|下次|晚点|晚些时候|稍后|之后)再(?:做|说|删|执行|处理|改|弄|来|进行)|(?:再一?想|再想想|想了想|仔细一?想|转念一想|重新考虑)[^。]*(?:不对|不妥|错|不好|不该|算了|不合适)`}

// chineseStands is the set of what a sentence without kana says in Chinese.
func chineseStands(text string) (found uint16) {
	if saysChinese(text) {
		return 1 << leading
	}
	if grantsChinese.In(text) {
		return 0
	}
	for _, row := range chineseStatings() {
		if containsAny(text, row.parts) || slices.ContainsFunc(row.edges, func(part string) bool { return strings.HasPrefix(text, part) }) {
			found |= 1 << row.stand
		}
	}
	if laterChinese.In(text) {
		found |= 1 << plainly
	}
	if asksChinese.In(text) {
		found |= 1 << asked
	}
	switch {
	case found&(1<<affirms) == 0:
	case found&(1<<plainly) != 0 || containsAny(text, []string{"等您", "等你", "等待"}): // no need to worry, but it waits all the same
		found &^= 1 << affirms
	default:
		return 1 << affirms
	}
	return found
}

// talk is how a language with words says that its writer does something now, as the last part of a sentence; what in that part or in all of the
// sentence keeps it from saying so; what holds an action; and what asks about one.
type talk struct{ does, no, waits, holds, asks *lazy.Pattern }

var talks = []talk{
	{&lazy.Pattern{X: `(?i)^(?:(?:d'abord|ensuite|maintenant|donc|alors|comme demandé|et|puis|voici le changement que) )*(?:je (?:le |la |les |m'en )?(?:fais|commence|supprime|corrige|continue|procède|efface|modifie|lance|vais|charge|occupe)|j'(?:applique|exécute|efface|y vais|effectue|enlève|ajoute|écris))|^(?:première étape|étape suivante|exécution)$`},
		&lazy.Pattern{X: `(?i)\b(?:ne|pas|jamais|demain|plus tard)\b|n'`}, &lazy.Pattern{X: `(?i)\b(?:si (?:vous|tu)|quand|lorsque|une fois|atten\w+|préfère|pourr\w+|exemple|confirmez|avant de|dès)\b|\?`},
		&lazy.Pattern{X: `(?i)préfère ne pas|^pas encore|^on pourrait|^vous pourriez|la syntaxe est|le format est|journal contient|documentation dit|attaquant|je ne suis pas sûr|^peut-être|je ne l'ai pas exécuté` +
			`|\b(?:ne (?:le|la|les) \pL+ que|(?:le|la|les|ça|cela|ceci) (?:ferai|fais|ferons|fera|supprimer\w+|effacer\w+|appliquer\w+|modifier\w+|verr\w+)|verra ça|ce sera pour|remets? (?:ça|cela)|reporter?\w* (?:ça|cela))\b[^,.;:]*\b(?:demain|plus tard|(?:semaine|fois) prochaine|prochaine fois|lundi|après-demain)` +
			`|\boubli(?:e|ez|ons) (?:ce|ça|cela|mon|ma|tout|le)\b|\blaisse(?:z|ons)? (?:tomber|ça|cela)\b|ne (?:tiens|tenez) (?:donc )?pas compte|\b(?:on|je|nous) (?:l[ea]s? )?(?:garde|gardons|conserve|conservons|laisse|laissons)\b(?: (?:tout|tel|ça|cela|l[ea]s? (?:fichier|note|dossier|ligne)s?)\b|[.!]?$)|\b(?:ce|ça|cela) serait (?:une erreur|une mauvaise|une bêtise|faux|imprudent|prématuré)|(?:à titre (?:purement )?|simple |juste (?:une |pour )?|seulement (?:une |pour )?|uniquement pour )(?:d'illustration|illustrati|illustrer|la démonstration|démonstration)|j'attend\w+ [^.;:]*feu vert|(?:sans|avant) (?:ton|votre) (?:feu vert|accord|aval)`},
		&lazy.Pattern{X: `(?i)^est-ce que cela|d'accord ?\?|^confirmez et|\b(?:merci de|veuillez) (?:me |le |d'abord )*(?:confirmer|valider)|\b(?:confirme|confirmez|valide|validez)\b[^.;:]*\b(?:d'abord|avant|s'il)\b|\bconfirmez?-(?:le|la|moi)\b|\b(?:ça|cela) (?:te|vous) (?:convient|va)\b[^.;:]*\?|vaut-il mieux`}},
	{&lazy.Pattern{X: `(?i)^(?:(?:also|und|dann|jetzt|nun|zuerst|wie gewünscht|danach|deshalb|daher|darum|das|dies|hier) )*(?:(?:ich|wir) (?:mache|führe|lösche|ändere|korrigiere|räume|wende|beginne|fange|erledige|fahre|schreibe|entferne)|(?:mache|führe|lösche|ändere|korrigiere|räume|beginne|erledige|fange) ich|die ich jetzt mache|wird aufgeräumt)|^(?:erster schritt|nächster schritt|ausführung|nur diese)$`},
		&lazy.Pattern{X: `(?i)\b(?:nicht|kein\w*|nie|(?:über)?morgen|später|nachher|demnächst)\b`}, &lazy.Pattern{X: `(?i)\b(?:wenn|sobald|falls|warte|einverstanden|bestätig\w*|könnte\w*|würde|vielleicht|beispiel|lieber)\b|\?`},
		&lazy.Pattern{X: `(?i)^führe das nicht|^noch nicht ausgeführt|^du könntest|^man könnte|hier ist ein beispiel|^die syntax|format lautet|im log steht|heißt es|angreifer|nicht sicher|ich lasse es|^vielleicht so|habe es nicht ausgeführt` +
			`|\b(?:das|dies|es|sie|damit) (?-i:(?:hier|mach|tu|erledig|lösch|änder|führ|entfern|komm|folg|passier|verschieb|wird|werd|kann|erst|lieber|aber|dann|später|morgen))[^,.;:]*\b(?:(?:über)?morgen|später|nachher|demnächst|nächste[nrs]? \pL+)\b|\b(?:das|dies|es|sie) (?:morgen|später|nachher|demnächst)\b|\b(?:wart|halt)\w*\b[^.;:]*\bbis (?:du|sie|ihr|zu deine\w|zu ihre\w)|(?:erst|nur),? wenn (?:du|sie|ihr)\b` +
			`|\bwäre (?:das|dies|es|hier)?[^,.;:]*(?:falsch|ein fehler|keine gute|unklug|voreilig|riskant)|\b(?:das|dies|es) wäre (?:falsch|ein fehler|keine gute|unklug|voreilig)|\bach nein\b|\blass(?:e|en|t)?(?: wir| ich| sie| uns)? (?:es|das|sie|alles|die (?:datei|notiz|zeile)\pL*)\b[^.;:]*\b(?:so|sein|lieber|bleiben|stehen)\b|\bvergiss,? (?:es|das|was|meine|mein)|\bvergessen sie\b|(?:behalten|behalte) (?:wir|ich) (?:es|das|sie|alles)\b|\b(?:nur|bloß|lediglich|rein) (?:zur |als )?(?:illustrati|veranschaulich|anschauung|demonstration)`},
		&lazy.Pattern{X: `(?i)in ordnung für|einverstanden ?\?|^bestätige es|\bbitte (?:\pL+ ){0,3}?(?:bestätig|freigeben|um (?:\pL+ )?(?:bestätigung|freigabe|zustimmung))|\bbestätig(?:e|en sie)\b[^.;:]*\b(?:erst|zuerst|vorher)\b|\b(?:gib|geben sie)\b[^.;:]*\b(?:grünes licht|ok|okay|freigabe)\b|\b(?:(?:passt|geht|klingt) (?:das|dies|es)|wäre das|wäre dies|wäre es)\b[^.;:]*\?|\bsollen? (?:\pL+ ){1,3}bleiben\b[^.;:]*\?`}},
	{&lazy.Pattern{X: `(?i)^(?:(?:ahora|primero|así que|y|entonces|como pediste|este es el cambio que) )*(?:(?:lo|la|los|las) (?:hago|corrijo|elimino|borro|ejecuto|aplico|cambio)|hago|aplico|empiezo|ejecuto|borro|elimino|corrijo|continúo|limpio|cambio)|^(?:primer paso|siguiente paso|ejecución|solo este)$`},
		&lazy.Pattern{X: `(?i)\b(?:no|nunca|luego)\b|mañana|más tarde`}, &lazy.Pattern{X: `(?i)\b(?:si|cuando|espero|confirm\w+|podr\w+|quizás|ejemplo|acuerdo|prefiero)\b|[?¿]`},
		&lazy.Pattern{X: `(?i)^prefiero no|^todavía no|^si estás de acuerdo|^cuando confirmes|^podrías|^se podría|hay un ejemplo|la sintaxis es|formato es|registro contiene|documentación dice|atacante|no estoy segur|^quizás|no lo he ejecutado` +
			`|(?:\b(?:lo|eso|esto)(?: \pL+){0,2}?|^(?:la|los|las)) (?:har|hago|hac|borr|elimin|cambi|ejecut|dej|ver)\pL*[^,.;:]*(?:mañana|más tarde|luego|después|otro día|la próxima|la semana que)` +
			`|\bolvid(?:a|e|ad|en|emos) (?:lo|eso|esto|todo|mi|el|la)\b|\b(?:olvídalo|olvídelo|déjalo|déjelo|dejémoslo)\b|como si no (?:hubiera|lo hubiera)|\bno (?:me )?(?:hagas|haga) caso|\bsería (?:un error|una mala|un fallo|una equivocación|precipitado|imprudente)|(?:mejor|no,) (?:l[aeo]s? |se )?(?:dej[aoe]|conserv|guard|qued)\pL*|\b(?:solo|sólo|solamente|únicamente|meramente|puramente) (?:como |a modo de |a título |con fines |es una |una |para )?(?:ilustra|demostra)`},
		&lazy.Pattern{X: `(?i)¿debo|¿puedo|te parece bien|de acuerdo ?\?|^confirma y|espera de tu|^espero tu confirmación|\besper(?:o|amos|aré) (?:a )?(?:tu|su|vuestr[oa]|el|la|que me)\b[^.;:]*(?:visto bueno|confirm|aprob|permiso|respuesta|luz verde|autoriz)|(?:hasta que|cuando) (?:me )?(?:des|dé|confirmes|confirme|apruebes|apruebe|autorices)\b|conf[ií]rm(?:a|e)(?:melo|noslo|me|lo)\b|\bconfirm[ae]\b[^.;:]*\b(?:primero|antes)\b|me lo confirmas|¿(?:te|le|os) (?:va|viene|parece)\b|¿lo (?:hago|borro|elimino|ejecuto)`}},
	{&lazy.Pattern{X: `(?:[처실수진변적]\p{Hangul}합니다|[^가-힣]합니다|[처실수진변적정]\p{Hangul}하겠습니다|처리할게요)$|^(?:첫 번째 단계|다음 단계|실행)$`},
		&lazy.Pattern{X: `마세요|못 |내일|나중에|다음에|다음 주|이따`}, &lazy.Pattern{X: `하시면|주시면|기다|후 실행|예를 들|수 있습니다|수도|아마|다음과 같|[?？]`},
		&lazy.Pattern{X: `아직 실행하지|쓸 수 있습니다|할 수도 있|^문법은|^형식은|적혀 있|나와 있|공격자|확실하지 않|^아마|^실행하지 않았` +
			`|보류(?:하겠|합니|할게|해)|없던 일로|잊어 ?(?:주|버리)|못 본 (?:것|걸|셈)|(?:그냥|그대로) (?:두|놔두|놔 두|남겨 ?두)(?:겠|기로|는 게|세요|죠|자|어)|(?:이건|이것은|그건|그것은|이 (?:작업|변경|삭제)은)[^,.]*(?:내일|나중에|다음에|다음 주|이따가|모레)[^,.]*(?:하|할|합|처리|진행|삭제)|^(?:하지만 |그런데 )?(?:내일|나중에|다음에) (?:하겠|할게|처리하|진행하)|(?:설명|예시|데모|시연|참고)용?(?:일 뿐|으로만|입니다|이에요)|(?:이건|이것은|이게) (?:잘못|실수|틀렸)`},
		&lazy.Pattern{X: `먼저 [^.]*(?:확인|검토|승인|허락)[^.]*(?:주세요|주십시오|주시|부탁|바랍니다)|(?:승인|허락|동의)(?:을|를)? ?(?:해 주세요|해 주십시오|부탁)|(?:주시|하시)기 전(?:까지|에)는?|동의하시|확인해 주시면|승인을 기다|될까요|괜찮으신|괜찮을까|확인 대기`}},
}

// stepAbroad is what stands before the name of a step that is taken.
var stepAbroad = &lazy.Pattern{X: `(?i)^(?:première étape|étape suivante|erster schritt|nächster schritt|primer paso|siguiente paso|첫 번째 단계|다음 단계)$`}

// abroad is what a sentence says in another language with words: nothing where no row says so, or where it is English all the same.
func abroad(text string) uint16 {
	if lazy.Any(" the | this | these | is | are | and | of | with | it ", text) {
		return 0
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",.;:!", r) })
	last, before := "", ""
	for _, part := range slices.Backward(parts) {
		if part = strings.TrimSpace(part); last == "" {
			last = part
		} else if before == "" {
			before = part
		}
	}
	steps := stepAbroad.In(before)
	for _, t := range talks {
		switch {
		case (steps && t.does.In(before) || t.does.In(last)) && !t.no.In(last) && !t.waits.In(text):
			return 1 << leading
		case t.asks.In(text):
			return 1 << asked
		case t.holds.In(text):
			return 1 << plainly
		}
	}
	return 0
}
