package protocol

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// What is said in the languages that models fall into beside English and Japanese: what takes an action back, keeps it from being done or shows
// it as an example, and what asks whether to do it. These are rows as those of standing.go; Chinese, which has no blanks, is told by parts.

// standingsAbroad are the shapes of sentences by what they say, a row or two for each language.
var standingsAbroad = []standing{
	{plainly, "..nicht/nichts/niemals ausführen/löschen/ändern/anfassen/tun/machen/anwenden/übernehmen/entfernen/überschreiben ~, ..nicht ausführen/löschen/ändern/anfassen/tun/machen ., ..doch nicht ., ..lieber nicht ., ..bitte ignorieren/vergessen/vergiss/ignoriere ~, ignoriere/vergiss/ignorieren das/dies/diesen/es, ..mache/tue/lösche/ändere/führe/entferne ich das? nicht, ich mache/tue/lösche/ändere/führe/entferne das/es/sie/dies nicht, ich werde das/es/sie/dies nicht, " +
		"das/dies/es war 1 ein/mein fehler/irrtum/versehen ~, INTERJ? das/dies ist falsch ., ..nur/bloß/lediglich ein beispiel, ..nur/bloß als beispiel, ..nur zur veranschaulichung, nein ., stopp ., halt |, abbrechen ., zum beispiel |, die syntax 3 lautet, so würde man"},
	{asked, "soll/sollen/darf/dürfen ich/wir, möchten/möchtest/willst/wollen sie/du"},
	{plainly, "..ne pas exécuter/supprimer/modifier/appliquer/toucher/faire/lancer/effacer, ..ne fais/faites/exécute/exécutez/supprime/supprimez/touche/touchez/lance/lancez/modifie/modifiez/faisons pas, ..ne le/la/les ferai/fais/ferons/supprime/supprimez/supprimerai/exécute/exécutez/exécuterai/modifie/modifierai/toucherai/touchez/lance/lancez/lancerai/faites pas, ..n'exécute/n'exécutez/n'applique/n'appliquez/n'efface/n'effacez pas, ..ne vais pas, " +
		"..c'était/c'est une erreur ., ..c'était une erreur |, ..ignorez/ignore/oubliez/oublie cet/ça/cela/cette/ceci, ..n'est qu'un exemple, ..qu'à titre d'exemple, ..juste/seulement/simplement un exemple, à titre d'exemple, par exemple |, par exemple on, en fait non, annulez/annule ~, attendez non"},
	{asked, "dois-je/puis-je/devrais-je/faut-il/voulez-vous/veux-tu/souhaitez-vous"},
	{plainly, "..no lo/la/los/las ejecutes/ejecute/borres/borre/hagas/haga/toques/toque/elimines/elimine/cambies/cambie/haré/hago/borro/ejecuto/ejecutaré, ..no ejecutar/ejecutes/ejecute/borrar/borres/eliminar/elimines/hacer/hagas/tocar/toques/aplicar/modificar, ..no voy a, ..mejor no ~, ..solo/sólo/solamente un ejemplo, ..solo/sólo como ejemplo, eso/esto/ese/fue fue/era? un/mi error ., ignora/ignore/olvida/olvide esto/eso/este/esta/lo ~, por ejemplo |, espera no ~"},
	{asked, "..warte/warten 1 auf eine/dein/deine/deinen/ihr/ihre/ihren/eure/freigabe/zustimmung/bestätigung, ..brauche/benötige 2 dein/deine/deinen/ihr/ihre/ihren zustimmung/freigabe/bestätigung/einverständnis/okay, sobald/wenn/falls/nachdem du/sie/ihr 3 zustimmst/zustimmen/bestätigst/bestätigen/einverstanden/bestätigt/zugestimmt/freigibst/freigeben/freigegeben/erlaubst/erlauben, " +
		"..attends/attendons/attendrai/attendrons 1 votre/ton/ta/accord/confirmation/validation/réponse, en attente de 1 votre/ton/ta/accord/confirmation/validation, j'attends/j'attendrai 1 votre/ton/ta/accord/confirmation, ..dès/si/quand/lorsque/fois 1 vous/tu/qu'on 4 d'accord/confirmé/confirmez/confirmes/validé/validez/accepté/acceptez/approuvé/approuvez"},
	{plainly, "ich/wir nehme/nehmen/ziehe/ziehen 3 zurück ., ..nehme/ziehe ich 1 zurück ., ..würde/würden 2 das/dies/so hier/so? tun/machen/ausführen/löschen ., je retire/retirons ce/cette/cela/ça/mon/ma, je reviens sur ce/cette/mon/ma, j'annule ~, j'annule ce/cette/cela/ça, ..ne l'exécutez/l'exécute/l'efface/l'effacez/l'applique/l'appliquez pas, ..pas encore |"},
	{leading, "bien/entendu/parfait/volontiers/compris ., avec plaisir, in ordnung ., klar, bien sûr, très bien, d'accord, ..m'en occupe/charge, ..c'est parti ., ..je le/la fais, ..allons-y ., pas de problème, ..los ., los geht's, kein problem, gerne, natürlich, selbstverständlich, alles klar, ..mache/erledige ich ., ich mache/führe/lösche/erledige das"},
	{affirms, "pas/aucun/aucune d'autre/d'autres/autre changement/changements/modification/modifications, ..autre chose, ..sonst noch, ..noch etwas, n'hésitez/n'hésite pas"},
	{asked, "quieres/quiere/desea/prefieres que, debería yo/hacerlo/borrarlo/eliminarlo/ejecutarlo"},
	{plainly, "..não execute/executar/faça/fazer/apague/apagar/delete/exclua/excluir/mexa/altere/alterar/remova/remover, ..não vou, ..não o/a/os/as farei, ..só/apenas/somente um exemplo, isso/isto foi um erro, ignore isso/isto/este/esta ~, por exemplo |, melhor não ~"},
	{asked, "quer/queres/deseja/gostaria que"},
	{plainly, "..non eseguire/eseguirlo/cancellare/cancellarlo/toccare/farlo/modificare/eliminare/applicare, ..non lo/la/li/le farò/faccio/eseguo/cancello/elimino/tocco, ..non ho intenzione, ..solo/soltanto un esempio, questo/è/era è/era? stato? un errore ., ignora/ignorate questo/questa/quanto, ..meglio di no, per esempio |, ad esempio |"},
	{asked, "vuoi/vuole/volete/desideri che"},
	{plainly, "..не выполняй/выполняйте/выполнять/удаляй/удаляйте/удалять/делай/делайте/делать/трогай/трогайте/трогать/меняй/меняйте/запускай/запускайте/запускать/применять, ..не буду, ..только/просто/лишь пример, это была/был/было 1 ошибка/ошибкой, игнорируй/игнорируйте/забудь/забудьте ~, ..проигнорируйте ~, отмена ., отменяю, стоп ., например |"},
	{asked, "хотите/хочешь чтобы, мне/можно/стоит ли, мне удалить/выполнить/сделать/изменить ."},
	{plainly, "..하지/실행하지/삭제하지/수정하지/변경하지/적용하지/건드리지 마/마세요/마십시오/말아/말/않겠습니다/않을게요/않습니다, ..예시일 뿐, ..예시일 뿐입니다/뿐이에요, ..예시입니다 ., 취소 ., 취소합니다, 아니야 ., 아니요 ., ..무시해 주세요/주십시오, ..무시하세요, ..실수였습니다, 예를 들어 |"},
	{asked, "..할까요/실행할까요/삭제할까요/수정할까요/진행할까요"},
}

// standingsChinese are parts of Chinese sentences by what they say; a sentence that begins with one says the same.
var standingsChinese = []struct {
	stand         stand
	parts, begins []string
}{
	{plainly, []string{"不要执行", "不要运行", "不要删除", "不要修改", "不要动", "不要这样做", "不要做", "别执行", "别删", "别动", "请勿", "切勿", "不会这样做", "不会执行", "不会删除", "不会修改", "不执行这", "不应该执行", "不应该删除", "不应执行", "不应删除", "，不对", "这是错的", "这是错误的", "我搞错了", "我弄错了", "只是一个例子", "只是例子", "只是示例", "只是一个示例", "仅为示例", "仅作示例", "仅作演示", "仅供参考", "请忽略", "忽略这", "忽略上", "撤回", "等用户确认", "等待用户确认", "等您确认", "等你确认", "我收回", "收回上", "收回刚", "操作作废", "作废。", "我不打算", "暂时不执行", "还没有执行", "尚未执行", "还没执行", "还没有同意", "尚未同意", "没有同意", "未经批准", "您可以自己", "你可以自己", "你可以这样", "您可以这样", "如果需要，可以", "如果您想", "如果你想", "是一个例子", "是个例子", "格式如下", "语法是", "写法如下", "可以这样写", "里写着", "中写道", "之前写的是", "攻击者", "不推荐", "不建议", "我不确定", "也许可以", "理论上", "考虑过", "以后再", "请先确认", "仅作示意", "只作示意", "只是示意", "仅为演示", "仅供演示", "只是演示", "当我没说", "就当没", "当没看", "当作没", "这样做不对", "这样不对", "这样不妥", "这样做不妥", "还是算了", "还是别", "还是留着", "还是保留", "留着吧", "保留吧"}, []string{"不对", "取消。", "取消上", "取消这", "取消刚", "算了", "不行", "例如：", "比如：", "例如:", "比如:", "等等，不", "等一下，不", "暂不", "先不"}},
	{asked, []string{"要我执行", "要我删除", "需要我", "是否执行", "是否删除", "是否继续", "可以吗", "行吗", "好吗", "您确认吗", "你确认吗", "要执行吗", "要删除吗", "等您", "等你", "等待您", "等待你", "您确认", "你确认", "您同意", "你同意", "您批准", "你批准", "能不能", "能否", "要我来", "要我这样", "要我做", "我应该执行", "我应该删除", "我应该这样", "确认后我再", "确认后再", "同意后再", "批准后再"}, nil},
	{leading, nil, []string{"没问题", "好的", "当然", "我现在", "我马上", "第一步：", "下一步：", "执行中", "正在"}},
	{affirms, []string{"还需要", "还有什么", "不用担心", "请放心", "需要我做其他", "需要其他", "其他修改", "其他改动", "其他文件没有", "其他文件不", "不用再", "不用手动"}, nil},
}

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
	for _, row := range standingsChinese {
		if containsAny(text, row.parts) || slices.ContainsFunc(row.begins, func(part string) bool { return strings.HasPrefix(text, part) }) {
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
