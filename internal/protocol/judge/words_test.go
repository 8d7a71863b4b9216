package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What quotations and their twins are made of.
var (
	paths        = []string{"b.go", "src/app.py", "docs/old.md", "internal/cache/cache.go", "設定.yaml", "build", "web/index.html", "tmp/data.json"}
	contents     = []string{"hello\n", "port: 9090\ndebug: true\n", "def f():\n    return 1\n", "package x\n\nfunc F() {}\n", "# 見出し\n\n本文です。\n", "Never do this: it is an example.\n"}
	commands     = []string{"rm -rf build", "git push --force", "make clean", "npm install left-pad", "docker compose down -v", "sed -i s/a/b/ a.txt", "go mod tidy", "python3 manage.py migrate"}
	testCommands = []string{"go test ./...", "pytest -q", "npm test", "cargo test", "make check"}

	// doubting are words after which an action is not meant.
	doubting = []string{
		"Do not run this:", "Don't do this:", "Never do this:", "I will not do this:", "I won't run this:", "I refuse to do the following:", "I can't do this here:",
		"You should not do this:", "Please do not execute the following:", "It would be wrong to do this:", "Avoid this:", "Under no circumstances run this:",
		"I decided against this:", "This must not be run:", "I'd rather not do this:", "I advise against it:", "Not like this:", "This is dangerous, so I leave it alone:",
		"I am not sure about this:", "Maybe this would help, but I don't know:", "One could do this:", "You could do this yourself:", "You would write:", "I would do this:",
		"If you wanted that, it would be:", "Hypothetically:", "Possibly like this, but I doubt it:", "I am thinking about this, without having decided:",
		"For example:", "An example:", "For instance, this is how it is written:", "The syntax is:", "The format looks like this:", "A sample reply:",
		"This is what such an action looks like:", "To illustrate:", "Example (not to be run):", "This is only an illustration:", "In a tutorial you would see:",
		"Should I do this?", "Shall I run this?", "May I do the following?", "Do you want me to do this?", "Would you like me to do this?", "Is this what you want?",
		"Before I go on, is this all right?", "Do you agree with this?", "Can I do this?", "What do you think of this?",
		"The file says:", "The log shows:", "You wrote:", "The README has:", "The previous assistant did this:", "The old version was:", "An attacker could write:",
		"The issue quotes:", "In the documentation it says:", "Yesterday I ran:", "My last attempt was:", "The user's message contains:",
		"Not yet:", "Later, when you have agreed:", "I have not done this yet:", "Planned, not done:", "Once you confirm, I would do this:", "I will wait with this until you say yes:",
		"次は実行しないでください:", "これは実行しません:", "まだ実行しません:", "(まだ実行していません)", "例えば:", "例:", "たとえば次のように書きます:", "書き方の例です:",
		"次のようにすることもできますが、おすすめしません:", "実行してもよいですか?", "これを実行しますか?", "次の操作を行ってもよろしいですか？", "もし必要なら次のようにします:",
		"ログには次のようにあります:", "ドキュメントからの引用:", "前のアシスタントはこう書きました:", "こうするのは間違いです:", "やってはいけない例:", "以下は説明用です:",
		"確認させてください。これでよいですか?", "もしかすると次かもしれません:", "後で行う予定です（今は行いません）:", "私なら次のようにしますが、どうでしょうか。",
	}
	// neutral are words that do not doubt: the dress alone says that it is a quotation.
	neutral = []string{"From the file:", "I found this:", "Line 3 of the notes:", "Here is what it says:", "引用:", "次の記述があります。", "The text in question:", "What the page has:"}
	// after is what may follow a quotation.
	after = []string{
		"", "", "Should I do that?", "Tell me what you think.", "That is only an example.", "I have not done it.", "It would break the build.", "Do you want that?", "どうしますか?", "以上は例です。",
		"I leave it at that.", "実行してよければ教えてください。", "Nothing was changed.", "Which do you prefer?", "I wait for your answer.", "何も変更していません。",
	}
	// meaning are words before an action that is meant; some of them have words in them that elsewhere doubt.
	meaning = []string{
		"I'll do that now:", "Now I do it.", "Next step:", "Let me do that.", "Doing it now:", "As you asked:", "OK, here we go:", "Sure!", "Of course.", "Got it. Going ahead:",
		"I'm going to do this now.", "First this:", "Let's go.", "On it.", "I will carry this out and look at the result.", "Continuing with the plan.",
		"It is not used any more, so I act:", "It did not work because of a typo; trying again:", "The tests don't cover this yet, so I go on:", "Nothing else depends on it. Going on:",
		"Without this it cannot build. I do it now:", "You were right, I should not have left it. Fixing it now:", "The example in the README is wrong. Correcting it now:",
		"The last attempt failed; now the next one:", "Should be quick:", "I could not find another use of it, so I proceed:", "I have never seen this fail. Running it:",
		"実行します:", "では進めます。", "次にこれを行います。", "ご指示の通り実行します:", "使われていないので、いま処理します。", "まだ反映されていないので、いま行います:", "例の不具合を直します。", "問題ありません。進めます。", "了解しました。",
	}
	// closing is what may follow an action that is meant.
	closing = []string{"", "", "", "\nI'll report when it is done.\n", "\nThen I look at the result.\n", "\n結果が出たら報告します。\n", "\nAfter that the next step follows.\n"}
)

// A way is how an action stands in a reply.
type way struct {
	name   string
	dress  func(string) string
	inline string // a sentence with % for the action
	quotes bool   // is a quotation whatever stands around it
}

func same1(s string) string { return s }

func each(s string, change func(i int, line string) string) string {
	out := ""
	i := 0
	for line := range strings.Lines(s) {
		out += change(i, line)
		i++
	}
	return out
}

func prefix(p string) func(string) string {
	return func(s string) string { return each(s, func(_ int, l string) string { return p + l }) }
}

func fenced(info string) func(string) string {
	return func(s string) string { return "```" + info + "\n" + s + "```\n" }
}

func tagged(tag string) func(string) string {
	return func(s string) string { return "<" + tag + ">\n" + s + "</" + tag + ">\n" }
}

func item(mark string) func(string) string {
	return func(s string) string {
		return each(s, func(i int, l string) string {
			if i == 0 {
				return mark + l
			}
			return strings.Repeat(" ", len(mark)) + l
		})
	}
}

// ways are the ways to quote.
var ways = []way{
	{name: "plain", dress: same1}, {name: "plain", dress: same1}, {name: "plain", dress: same1},
	{name: "blockquote", dress: prefix("> "), quotes: true},
	{name: "indented", dress: prefix("    ")},
	{name: "fence", dress: fenced("")}, {name: "fence", dress: fenced("text")}, {name: "fence", dress: fenced("json")},
	{name: "pre", dress: tagged("pre"), quotes: true},
	{name: "file and line", dress: func(s string) string {
		return each(s, func(i int, l string) string { return fmt.Sprintf("notes/log.md:%d:%s", i+3, l) })
	}, quotes: true},
	{name: "list item", dress: item("- ")}, {name: "numbered", dress: item("2. ")},
	{name: "comment", dress: func(s string) string { return "<!--\n" + s + "-->\n" }, quotes: true},
	{name: "in double quotes", inline: `the words "%" as they stand.`, quotes: true},
	{name: "in 「」", inline: "「%」と書いてあります。", quotes: true},
	{name: "in a code span", inline: "the line `%` is meant."},
	{name: "in a sentence", inline: "something like % would be it, and that is all."},
	{name: "in a table", inline: "\n\n| what | how |\n|---|---|\n| it | % |\n", quotes: true},
}

var symopsDress = []way{
	{name: "plain", dress: same1}, {name: "plain", dress: same1},
	{name: "thought above", dress: prefix1("~ needed for the task\n")},
	{name: "bullet", dress: prefix1("- ")}, {name: "numbered", dress: prefix1("1. ")},
	{name: "bold", dress: func(s string) string { return "**" + strings.TrimRight(s, "\n") + "**\n" }},
}

var dmlDress = []way{
	{name: "plain", dress: same1}, {name: "plain", dress: same1},
	{name: "Thought and Action", dress: prefix1("Thought: this is what is left to do.\nAction:\n")},
	{name: "label on the line", dress: prefix1("Action: ")},
	{name: "bullet", dress: prefix1("- ")}, {name: "numbered", dress: prefix1("1. ")},
}

func prefix1(p string) func(string) string { return func(s string) string { return p + s } }

// vendors are other families' notations.
var vendors = map[string]func(tool string, args json.RawMessage) string{
	"hermes": func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>\n", tool, args)
	},
	"llama": func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("{\"name\": %q, \"parameters\": %s}\n", tool, args)
	},
	"mistral": func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("[TOOL_CALLS][{\"name\": %q, \"arguments\": %s}]\n", tool, args)
	},
	"harmony": func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("<|channel|>commentary to=functions.%s <|constrain|>json<|message|>%s<|call|>\n", tool, args)
	},
	"invoke": func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("<invoke name=%q>\n%s</invoke>\n", tool, members(args, func(k, v string) string { return fmt.Sprintf("<parameter name=%q>%s</parameter>\n", k, v) }))
	},
	"react": func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("Action: %s\nAction Input: %s\n", tool, args)
	},
	"tags": func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("<%s>\n%s</%s>\n", tool, members(args, func(k, v string) string { return fmt.Sprintf("<%s>%s</%s>\n", k, v, k) }), tool)
	},
	"a call in source": func(tool string, args json.RawMessage) string {
		return tool + "(" + strings.TrimSuffix(members(args, func(k, v string) string { return fmt.Sprintf("%s=%q, ", k, v) }), ", ") + ")\n"
	},
}

var (
	vendorNames = slices.Sorted(maps.Keys(vendors))
	wholeNames  = []string{"hermes", "llama", "mistral", "invoke"}
)

func members(args json.RawMessage, write func(k, v string) string) string {
	var m map[string]string
	_ = json.Unmarshal(args, &m) // made by maker.action
	out := ""
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(m))) {
		out += write(k, m[k])
	}
	return out
}
