package protocol

import "nebula/internal/lazy"

// Whole sentences beside a change of files that are about the work, or that say outright that it is not done.

const (
	notDone  = `(?:have not|haven['’]t|did not|didn['’]t)`
	codeWord = `\x60?\w+(?:\(\))?\x60?`
)

var (
	// ofTheWork is a sentence that tells of the work beside a change, which stands as it is.
	ofTheWork = &lazy.Pattern{X: `(?i)^(?:(?:the|my) (?:previous|last|first|earlier|old) (?:attempt|try|guess|fix|edit|patch|version) was wrong\.?$|(?:correct|right) is:?$|i(?:['’]d| would) (?:normally|usually|otherwise) ask(?: you)?(?: first)?, but (?:you|the user) (?:said|told me|asked me|wrote) (?:to )?(?:just |not to ask|do it|go )|` +
		`i (?:can['’]t|cannot|could not|couldn['’]t) (?:run|test|check|verify|reproduce) (?:this|it|that)[^,.:]{0,30}, but (?:the|this) (?:fix|change|edit|patch|cause) (?:is|stays|remains)\b|this (?:one )?is (?:a )?(?:small|tiny|simple|easy|trivial)(?: one| change| fix| edit)?:?$|(?:i|we) ` + notDone + ` (?:yet )?(?:run|tested|looked at|checked|verified) (?:anything|the tests|[\w/-]+\.\w+)(?: yet)?[.;,:]?$|` +
		`(?:i|we) (?:was|were) wrong about [^,:]{1,30}: it(?:['’]s| is) |(?:you can )?undo (?:it |this )?with \x60nebula undo\x60|unlike ` + codeWord + `, ` + codeWord + ` (?:must|should|does|may|can) not \w+\.?$|it (?:can['’]t|cannot) be right that |(?:i|we) would say (?:that )?the [^,:]{1,40} (?:is|are) (?:wrong|missing|off|swapped|broken)[.:]?$|` +
		`(?:i|we) should have (?:seen|noticed|caught|found) (?:that|this|it)\b|(?:this|that|it) would(?:['’]ve| have) (?:also )?(?:failed|crashed|returned|raised|gone wrong) (?:for|with|on|in|at) |(?:i|we) considered \w+ing [^,]{1,30}, but \w+ing (?:it|this|that) is (?:better|simpler|safer|cleaner)\.?$|stop me if (?:that|this|it)(?:['’]s| is) wrong\.?$|` +
		`do not \w+, (?:but )?(?:add|subtract|multiply|divide|round|return|append)$|(?:the )?example (?:in|of|from) [^,.:]{1,30} (?:fails|is (?:wrong|broken|outdated))$|as a first draft$)`}
	// leftFiles is a sentence that names what was not touched, or not looked at.
	leftFiles = &lazy.Pattern{X: `(?i)^(?:not touched|untouched|unchanged|left alone): [\w./, -]+$|^(?:なお|ちなみに|ただし)、[\w./\x60]+\s?は(?:まだ)?(?:確認|検証|テスト|調査)して(?:い|おり)ません。?$`}
	// outright is a sentence that says that what it stands beside is another's, or for another time.
	outright = &lazy.Pattern{X: `(?i)^(?:this is what (?:the )?[\w.-]+ (?:tells|asks|advises|wants) (?:\w+ )?(?:contributors|people|users|readers|developers|newcomers|others) to (?:do|run)[.:]?$|(?:the|this) (?:ticket|issue|readme|spec) (?:asks for|wants|demands|suggests) (?:this|that|it), which (?:i|we) (?:doubt|disagree|reject)\b|that was (?:just|only|merely) an? (?:thought|idea)\.?$|` +
		`not now, but (?:next|later|tomorrow|after|in) |the (?:bot|script|agent|assistant) (?:in|from|of) (?:the|that|this) (?:log|transcript|thread|issue|chat)s? (?:wrote|did|ran|said|suggested|tried)[.:]?$|for (?:when|once|after) the (?:freeze|release|review|merge|migration|weekend|holidays?|sprint|demo)\b[^,]*:$|` +
		`(?:instead of (?:this|that):? ?(?:…|\.\.\.)? ?)?(?:we|i) should (?:talk|discuss)(?: about)?(?: it| this| that)? first\.?$|undo (?:this|that)[.!]?$)|^前回の(?:セッション|会話|作業)では(?:こう|次のように|以下のように)(?:しました|していました|やりました|直しました)[。:：]?$`}
	// readsFirst is one that puts a look before what stands above it.
	readsFirst = &lazy.Pattern{X: `(?i)^actually,? let me first (?:read|look|check|see|open|inspect)\b`}
	// affirmed begins a sentence that answers its writer's own question.
	affirmed = &lazy.Pattern{X: `(?i)^yes\b`}
)
