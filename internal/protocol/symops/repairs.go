package symops

import (
	"math"
	"slices"

	"nebula"
)

// A rule is what a repair says of a reading: the strategy it belongs to, how much surety it costs, and what it is.
type rule struct {
	strategy nebula.Strategy
	doubt    float64
	about    string
}

const (
	slight  = 0.01 // one meaning only
	some    = 0.05 // another meaning is far-fetched
	much    = 0.15 // another meaning can be thought of
	guess   = 0.3  // likely, and asked for
	lastWay = 0.5
)

// repairs are all repairs by their stable names.
var repairs = map[string]rule{
	"byte_order_mark":          {nebula.Repaired, 0, "a byte order mark before the reply"},
	"crlf":                     {nebula.Repaired, 0, "lines that end with carriage return and line feed"},
	"escaped_newlines":         {nebula.Inferred, guess, "the whole reply in one line with \\n"},
	"escaped_symbols":          {nebula.Repaired, some, "\\$ create \\@ a.py, all symbols escaped as Markdown"},
	"html_entities":            {nebula.Inferred, guess, "the whole reply escaped for HTML"},
	"blockquote_reply":         {nebula.Repaired, some, "> before every line"},
	"end_token":                {nebula.Repaired, slight, "a chat template's end token"},
	"next_turn":                {nebula.Repaired, some, "the model wrote the user's next turn, too; nothing from there on counts"},
	"think_block":              {nebula.Repaired, slight, "reasoning in tags before the answer"},
	"think_unclosed":           {nebula.Inferred, guess, "reasoning that no tag ends"},
	"wrapper_fence":            {nebula.Repaired, some, "a Markdown fence around protocol"},
	"stray_delimiter":          {nebula.Repaired, some, "a delimiter or rule that delimits nothing"},
	"indented_symbol":          {nebula.Repaired, slight, "white space before a symbol"},
	"fullwidth_symbol":         {nebula.Repaired, slight, "a full-width symbol"},
	"missing_space":            {nebula.Repaired, slight, "no space after a symbol"},
	"marked_symbol":            {nebula.Repaired, slight, "bold, a bullet or a number before ~, # or ?"},
	"label_line":               {nebula.Repaired, slight, "Thought:, Question:, Path: and so on instead of a symbol"},
	"label_action":             {nebula.Repaired, some, "Action: verb, with Path: and Content: below"},
	"wrapped_thought":          {nebula.Repaired, slight, "a thought that goes on in the next line"},
	"vitals_words":             {nebula.Repaired, slight, "confidence, mood, focus, stamina in words"},
	"vitals_equals":            {nebula.Repaired, slight, "#c=0.9, c: 0.9"},
	"vitals_percent":           {nebula.Repaired, slight, "percent, or of ten"},
	"vitals_bar":               {nebula.Repaired, slight, "a gauge: ████░░ 80%"},
	"vitals_vague":             {nebula.Repaired, slight, "a vital in words that is no number: mood: good"},
	"vitals_json":              {nebula.Repaired, slight, "vitals as a JSON object"},
	"vitals_remark":            {nebula.Repaired, slight, "a remark behind the vitals"},
	"vitals_in_thought":        {nebula.Repaired, slight, "vitals in a thought"},
	"verb_case":                {nebula.Repaired, slight, "CREATE"},
	"verb_synonym":             {nebula.Repaired, slight, "write, modify, remove, 作成 and so on"},
	"missing_at":               {nebula.Repaired, some, "$ create a.py"},
	"missing_dollar":           {nebula.Inferred, guess, "create @ a.py, create a.py"},
	"missing_verb":             {nebula.Inferred, guess, "a JSON call with a path and a content only"},
	"heading_action":           {nebula.Repaired, slight, "### $ create @ a.py"},
	"bold_action":              {nebula.Repaired, slight, "**$ create @ a.py**"},
	"code_span_action":         {nebula.Repaired, slight, "`$ create @ a.py`"},
	"bullet_action":            {nebula.Repaired, some, "- $ create @ a.py"},
	"numbered_action":          {nebula.Repaired, some, "1. $ create @ a.py"},
	"blockquote_action":        {nebula.Inferred, guess, "> $ create @ a.py, and nothing else is an action"},
	"action_in_thought":        {nebula.Inferred, guess, "~ $ create @ a.py"},
	"bare_command":             {nebula.Inferred, guess, "$ npm install"},
	"bare_path":                {nebula.Inferred, guess, "a file's name alone before a block"},
	"path_on_next_line":        {nebula.Repaired, some, "@ a.py in a line of its own"},
	"path_remark":              {nebula.Repaired, slight, "a comment or a colon behind the path"},
	"quoted_path":              {nebula.Repaired, slight, "quotes, backticks or brackets around the path"},
	"quoted_command":           {nebula.Repaired, slight, "quotes or backticks around the command"},
	"multi_path":               {nebula.Repaired, some, "several files in one action line"},
	"several_files":            {nebula.Inferred, guess, "several files in one block, each under its name"},
	"dependency_word":          {nebula.Repaired, slight, "->, depends on"},
	"empty_dependency":         {nebula.Repaired, slight, "> without a dependency"},
	"delimiter_dash":           {nebula.Repaired, slight, "dashes of another kind: –– — －－"},
	"delimiter_space":          {nebula.Repaired, slight, "blanks behind a delimiter"},
	"delimiter_indent":         {nebula.Repaired, some, "an indented delimiter"},
	"delimiter_label":          {nebula.Repaired, some, "-- python"},
	"delimiter_length":         {nebula.Inferred, guess, "a block that is closed by another number of hyphens"},
	"delimiter_on_action_line": {nebula.Repaired, some, "$ create @ a.py --"},
	"delimiter_in_fence":       {nebula.Repaired, some, "-- just inside a fence"},
	"fence_block":              {nebula.Repaired, slight, "``` instead of --"},
	"tilde_fence":              {nebula.Repaired, slight, "~~~ instead of --"},
	"fence_in_block":           {nebula.Repaired, some, "``` just inside --"},
	"content_indent":           {nebula.Repaired, some, "the whole block is indented"},
	"lookahead_close":          {nebula.Repaired, some, "a content with delimiters in it, closed where the rest makes sense"},
	"missing_open":             {nebula.Repaired, much, "no delimiter before the content"},
	"missing_close":            {nebula.Repaired, much, "no delimiter behind the content"},
	"prose_closes_block":       {nebula.Inferred, guess, "words for the person behind a content without a delimiter"},
	"duplicate_action":         {nebula.Repaired, some, "the same action again"},
	"json_call":                {nebula.Repaired, slight, "an action in JSON"},
	"broken_json":              {nebula.Repaired, some, "JSON with raw line breaks, single quotes or trailing commas"},
	"unescaped_json":           {nebula.Inferred, guess, "JSON whose quotes or backslashes are not escaped"},
	"xml_call":                 {nebula.Repaired, slight, "an action in tags"},
	"yaml_call":                {nebula.Repaired, slight, "an action in YAML"},
	"delimiter_other":          {nebula.Repaired, much, "===, ''' and the like instead of --"},
	"fence_closes_block":       {nebula.Repaired, much, "``` at the end of a block that -- opened"},
	"missing_delimiters":       {nebula.Repaired, some, "search and replace pairs without delimiters"},
	"heredoc":                  {nebula.Repaired, some, "$ create @ a.py <<EOF, or a command with a here-document"},
	"extracted_diff":           {nebula.Extracted, lastWay, "a diff that names its file; no action anywhere"},
	"extracted_label":          {nebula.Extracted, lastWay, "a fence whose label names the file; no action anywhere"},
	"extracted_heading":        {nebula.Extracted, lastWay, "a fence under a line that says which file to write"},
	"extracted_comment":        {nebula.Extracted, lastWay, "a fence whose first line names the file"},
}

// inferring reports whether a repair guesses what was meant, so that the action must be asked for.
func inferring(name string) bool {
	s := repairs[name].strategy
	return s == nebula.Inferred || s == nebula.Extracted
}

// rank orders strategies from the best.
func rank(s nebula.Strategy) int {
	return slices.Index([]nebula.Strategy{nebula.Strict, nebula.Repaired, nebula.Inferred, nebula.Extracted}, s)
}

// grade sets strategy and confidence: an action is as sure as the repairs in its lines leave it, a reply as its least
// sure action.
func (b *builder) grade() {
	d := b.doc
	d.Strategy, d.Confidence = nebula.Strict, 1
	whole := 1.0
	for _, r := range d.Repairs {
		rule := repairs[r.Name]
		if rank(rule.strategy) > rank(d.Strategy) {
			d.Strategy = rule.strategy
		}
		if general(r.Name) {
			whole *= 1 - rule.doubt
		}
		d.Confidence *= 1 - rule.doubt
	}
	if len(d.Actions) > 0 {
		d.Confidence = whole
	}
	if slices.ContainsFunc(d.Repairs, func(r nebula.Repair) bool { return general(r.Name) && inferring(r.Name) }) {
		for i := range d.Actions {
			d.Actions[i].Inferred = true
		}
	}
	next := 0
	for i := range d.Actions {
		next = b.gradeAction(&d.Actions[i], whole, next)
		d.Confidence = min(d.Confidence, d.Actions[i].Confidence)
	}
	d.Confidence = round(d.Confidence * math.Pow(0.9, float64(min(len(d.Problems), 5))))
	if len(d.Actions) > 0 && d.Strategy != nebula.Extracted && slices.ContainsFunc(d.Actions, func(a Action) bool { return a.Inferred }) {
		d.Strategy = nebula.Inferred
	}
}

// general reports whether a repair concerns the reply as a whole.
func general(name string) bool {
	switch name {
	case "escaped_newlines", "escaped_symbols", "html_entities", "blockquote_reply", "think_unclosed":
		return true
	}
	return false
}

// gradeAction weighs the repairs in an action's lines; from is the first repair that can be in them.
func (b *builder) gradeAction(a *Action, whole float64, from int) int {
	a.Confidence = whole
	last := a.Src.Line + b.height(a)
	for ; from < len(b.doc.Repairs) && b.doc.Repairs[from].Line < a.Src.Line; from++ {
	}
	for _, r := range b.doc.Repairs[from:] {
		if r.Line > last {
			break
		}
		if !general(r.Name) {
			a.Confidence *= 1 - repairs[r.Name].doubt
		}
		if r.Name == "delimiter_length" || r.Name == "prose_closes_block" {
			a.Inferred = true
		}
	}
	if a.Inferred || a.Truncated {
		a.Confidence = min(a.Confidence, 1-guess)
	}
	a.Confidence = round(max(a.Confidence, 0.1))
	return from
}

func round(f float64) float64 { return math.Round(f*100) / 100 }
