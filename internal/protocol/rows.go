package protocol

import (
	"iter"
	"maps"

	"nebula"
)

// A Row is what a repair says of a reading that needed it: the strategy it belongs to, whom it concerns, and what it is. A reading is
// the rows it needed; [Settle] alone says what follows from them.
type Row struct {
	Strategy nebula.Strategy
	Kind     Kind
	About    string
}

// A Kind is what else a row says than its strategy.
type Kind uint8

// The kinds, which may be added.
const (
	Whole   Kind = 1 << iota // it concerns every action of the reply
	Foreign                  // the action is in a form that nobody taught
	Form                     // the action is in a second form of the language taught
)

// sureness is how sure a reading is whose worst row is of a strategy.
var sureness = map[nebula.Strategy]float64{nebula.Strict: 1, nebula.Repaired: 0.9, nebula.Inferred: 0.7, nebula.Extracted: 0.5}

// RowOf is the row of a repair's stable name.
func RowOf(name string) (Row, bool) {
	r, ok := rowsByName[name]
	return r, ok
}

// Rows are the rows of one table: symops, dml, list, json, dialect or place.
func Rows(table string) iter.Seq2[string, Row] {
	return func(yield func(string, Row) bool) {
		for name, r := range rows[table] {
			if !yield(name, r) {
				return
			}
		}
	}
}

// Guessed reports whether a reading that needed a row is a guess, so that its action must be asked for.
//
//go:noinline
func Guessed(name string) bool {
	r, _ := RowOf(name)
	return r.Strategy == nebula.Inferred || r.Strategy == nebula.Extracted
}

// rows are all repairs by their stable names, by the language whose forms they mend.
var rows = map[string]map[string]Row{
	"symops":  symopsRows,
	"dml":     dmlRows,
	"list":    listRows,
	"json":    jsonRows,
	"dialect": dialectRows,
	"place":   placeRows,
}

var rowsByName = func() map[string]Row {
	all := map[string]Row{}
	for _, table := range rows {
		maps.Copy(all, table)
	}
	return all
}()

var symopsRows = map[string]Row{
	"byte_order_mark":          {nebula.Repaired, 0, "a byte order mark before the reply"},
	"crlf":                     {nebula.Repaired, 0, "lines that end with carriage return and line feed"},
	"escaped_newlines":         {nebula.Inferred, Whole, "the whole reply in one line with \\n"},
	"escaped_symbols":          {nebula.Repaired, Whole, "\\$ create \\@ a.py, all symbols escaped as Markdown"},
	"html_entities":            {nebula.Inferred, Whole, "the whole reply escaped for HTML"},
	"blockquote_reply":         {nebula.Repaired, Whole, "> before every line"},
	"blockquote_part":          {nebula.Inferred, Whole, "> before every line, and no thought among them"},
	"end_token":                {nebula.Repaired, 0, "a chat template's end token"},
	"next_turn":                {nebula.Repaired, 0, "the model wrote the user's next turn, too; nothing from there on counts"},
	"think_block":              {nebula.Repaired, 0, "reasoning in tags before the answer"},
	"think_unclosed":           {nebula.Inferred, Whole, "reasoning that no tag ends"},
	"wrapper_fence":            {nebula.Repaired, 0, "a Markdown fence around protocol"},
	"stray_delimiter":          {nebula.Repaired, 0, "a delimiter or rule that delimits nothing"},
	"indented_symbol":          {nebula.Repaired, 0, "white space before a symbol"},
	"fullwidth_symbol":         {nebula.Repaired, 0, "a full-width symbol"},
	"missing_space":            {nebula.Repaired, 0, "no space after a symbol"},
	"marked_symbol":            {nebula.Repaired, 0, "bold, a bullet or a number before ~, # or ?"},
	"label_line":               {nebula.Repaired, 0, "Thought:, Question:, Path: and so on instead of a symbol"},
	"label_action":             {nebula.Repaired, 0, "Action: verb, with Path: and Content: below"},
	"wrapped_thought":          {nebula.Repaired, 0, "a thought that goes on in the next line"},
	"vitals_words":             {nebula.Repaired, 0, "confidence, mood, focus, stamina in words"},
	"vitals_equals":            {nebula.Repaired, 0, "#c=0.9, c: 0.9"},
	"vitals_percent":           {nebula.Repaired, 0, "percent, or of ten"},
	"vitals_bar":               {nebula.Repaired, 0, "a gauge: ████░░ 80%"},
	"vitals_vague":             {nebula.Repaired, 0, "a vital in words that is no number: mood: good"},
	"vitals_json":              {nebula.Repaired, 0, "vitals as a JSON object"},
	"vitals_remark":            {nebula.Repaired, 0, "a remark behind the vitals"},
	"vitals_in_thought":        {nebula.Repaired, 0, "vitals in a thought"},
	"verb_case":                {nebula.Repaired, 0, "CREATE"},
	"verb_synonym":             {nebula.Repaired, 0, "write, modify, remove, 作成 and so on"},
	"missing_at":               {nebula.Repaired, 0, "$ create a.py"},
	"missing_dollar":           {nebula.Inferred, 0, "create @ a.py, create a.py"},
	"missing_verb":             {nebula.Inferred, 0, "a JSON call with a path and a content only"},
	"heading_action":           {nebula.Repaired, 0, "### $ create @ a.py"},
	"commented_action":         {nebula.Inferred, 0, "# $ create @ a.py, as a comment stands"},
	"bold_action":              {nebula.Repaired, 0, "**$ create @ a.py**"},
	"code_span_action":         {nebula.Repaired, 0, "`$ create @ a.py`"},
	"bullet_action":            {nebula.Repaired, 0, "- $ create @ a.py"},
	"numbered_action":          {nebula.Repaired, 0, "1. $ create @ a.py"},
	"blockquote_action":        {nebula.Inferred, 0, "> $ create @ a.py, and nothing else is an action"},
	"action_in_thought":        {nebula.Inferred, 0, "~ $ create @ a.py"},
	"bare_command":             {nebula.Inferred, 0, "$ npm install"},
	"bare_path":                {nebula.Inferred, 0, "a file's name alone before a block"},
	"path_on_next_line":        {nebula.Repaired, 0, "@ a.py in a line of its own"},
	"path_remark":              {nebula.Repaired, 0, "a comment or a colon behind the path"},
	"quoted_path":              {nebula.Repaired, 0, "quotes, backticks or brackets around the path"},
	"quoted_command":           {nebula.Repaired, 0, "quotes or backticks around the command, or a prompt before it"},
	"worded_command":           {nebula.Inferred, 0, "$ test @ run the tests with pytest"},
	"path_lines":               {nebula.Inferred, 0, "$ edit @ a.py (lines 3-9), which no edit takes"},
	"multi_path":               {nebula.Repaired, 0, "several files in one action line"},
	"several_files":            {nebula.Inferred, 0, "several files in one block, each under its name"},
	"dependency_word":          {nebula.Repaired, 0, "->, depends on"},
	"output_or_dependency":     {nebula.Inferred, 0, "$ run @ python3 a_test.py > a.py: written over, or needed"},
	"empty_dependency":         {nebula.Repaired, 0, "> without a dependency"},
	"delimiter_dash":           {nebula.Repaired, 0, "dashes of another kind: –– — －－"},
	"delimiter_space":          {nebula.Repaired, 0, "blanks behind a delimiter"},
	"delimiter_indent":         {nebula.Repaired, 0, "an indented delimiter"},
	"delimiter_label":          {nebula.Repaired, 0, "-- python"},
	"delimiter_length":         {nebula.Inferred, 0, "a block that is closed by another number of hyphens"},
	"delimiter_on_action_line": {nebula.Repaired, 0, "$ create @ a.py --"},
	"delimiter_in_fence":       {nebula.Repaired, 0, "-- just inside a fence"},
	"fence_block":              {nebula.Repaired, 0, "``` instead of --"},
	"tilde_fence":              {nebula.Repaired, 0, "~~~ instead of --"},
	"fence_in_block":           {nebula.Repaired, 0, "``` just inside --"},
	"content_indent":           {nebula.Repaired, 0, "the whole block is indented"},
	"lookahead_close":          {nebula.Repaired, 0, "a content with delimiters in it, closed where the rest makes sense"},
	"missing_open":             {nebula.Repaired, 0, "no delimiter before the content"},
	"missing_close":            {nebula.Repaired, 0, "no delimiter behind the content"},
	"prose_closes_block":       {nebula.Inferred, 0, "words for the person behind a content without a delimiter"},
	"duplicate_action":         {nebula.Repaired, 0, "the same action again"},
	"ambiguous_end":            {nebula.Inferred, 0, "a block that could end at another delimiter, with an action behind it"},
	"json_call":                {nebula.Repaired, Form, "an action in JSON"},
	"escaped_content":          {nebula.Inferred, 0, "a content in one line with \\n"},
	"cut_block":                {nebula.Inferred, 0, "the reply ended inside the block"},
	"xml_call":                 {nebula.Repaired, Foreign, "an action in tags"},
	"yaml_call":                {nebula.Repaired, Foreign, "an action in YAML"},
	"delimiter_other":          {nebula.Repaired, 0, "===, ''' and the like instead of --"},
	"fence_closes_block":       {nebula.Repaired, 0, "``` at the end of a block that -- opened"},
	"missing_delimiters":       {nebula.Repaired, 0, "search and replace pairs without delimiters"},
	"heredoc":                  {nebula.Repaired, 0, "$ create @ a.py <<EOF, or a command with a here-document"},
	"diff_reply":               {nebula.Repaired, Form, "a diff that names its file is all of the reply"},
	"extracted_diff":           {nebula.Extracted, 0, "a diff that names its file; no action anywhere"},
	"extracted_label":          {nebula.Extracted, 0, "a fence whose label names the file; no action anywhere"},
	"extracted_heading":        {nebula.Extracted, 0, "a fence under a line that says which file to write"},
	"extracted_comment":        {nebula.Extracted, 0, "a fence whose first line names the file"},
}

var dmlRows = map[string]Row{
	"dml_escaped_bar":   {nebula.Repaired, 0, "a backslash before a pipe of a command"},
	"dml_first_break":   {nebula.Repaired, 0, "a line break between the | and a content"},
	"dml_named_content": {nebula.Inferred, 0, "the argument's name before a content"},
	"dml_pair":          {nebula.Repaired, 0, "the two halves of a change between bars"},
	"dml_spaced_bar":    {nebula.Repaired, 0, "blanks around the bars, one of them before a content"},
	"dml_quoted":        {nebula.Repaired, 0, "quotes around an argument"},
	"dml_command":       {nebula.Repaired, 0, "another letter than T, or none"},
	"dml_delimiter":     {nebula.Repaired, 0, "variation selectors or blanks in a delimiter"},
	"dml_fence":         {nebula.Inferred, 0, "macros in a code block"},
	"dml_inner_closer":  {nebula.Inferred, 0, "a content that holds delimiters, ended where the reply's structure says"},
	"dml_separator":     {nebula.Repaired, 0, "a blank, a colon or parentheses for the first |"},
	"dml_guessed_call":  {nebula.Inferred, 0, "a macro without its letter and its |"},
	"dml_short_closer":  {nebula.Repaired, 0, "a closer without its duck"},
	"dml_wide_pipe":     {nebula.Repaired, 0, "｜ for |"},
}

var listRows = map[string]Row{
	"list_bare":        {nebula.Repaired, 0, "actions without the document around them"},
	"list_blocks":      {nebula.Inferred, 0, "several documents in code blocks"},
	"list_fence":       {nebula.Repaired, 0, "a code block around the document"},
	"list_wrapped":     {nebula.Repaired, 0, "the document inside another object, or as the only item of a list"},
	"list_schema":      {nebula.Repaired, 0, "fields missing or of another name"},
	"list_text_around": {nebula.Repaired, 0, "text around the document"},
}

var jsonRows = map[string]Row{
	"json_bare_key":        {nebula.Repaired, 0, "a key without quotes"},
	"json_comment":         {nebula.Repaired, 0, "a comment"},
	"json_escape":          {nebula.Repaired, 0, "an escape that JSON does not have"},
	"json_inner_quote":     {nebula.Repaired, 0, "a quote that is not escaped"},
	"json_missing_closer":  {nebula.Inferred, 0, "closed by the reader: its end may be missing"},
	"json_missing_comma":   {nebula.Repaired, 0, "no comma between entries"},
	"json_python_constant": {nebula.Repaired, 0, "True, False, None"},
	"json_quote_escape":    {nebula.Repaired, 0, "\\'"},
	"json_raw_control":     {nebula.Repaired, 0, "line breaks and tabs inside strings"},
	"json_single_quotes":   {nebula.Repaired, 0, "single quotes"},
	"json_smart_quotes":    {nebula.Repaired, 0, "typographic quotes"},
	"json_space":           {nebula.Repaired, 0, "white space that JSON does not have"},
	"json_escaped_twice":   {nebula.Inferred, 0, "line breaks of a content that are escaped twice"},
	"content_fence":        {nebula.Repaired, 0, "a code block around a content"},
	"json_wide":            {nebula.Repaired, 0, "brackets, colons, commas or quotes in full width"},
	"json_trailing_comma":  {nebula.Repaired, 0, "a comma before a closing bracket"},
	"json_triple_quotes":   {nebula.Repaired, 0, "Python's triple quotes"},
	"json_doubtful_text":   {nebula.Repaired, 0, "a text whose bytes are not certain"},
}

var dialectRows = map[string]Row{
	"dialect_actionlist": {nebula.Repaired, Whole | Foreign, "an action list where another language was taught"},
	"dialect_dml":        {nebula.Repaired, Whole | Foreign, "DML where another language was taught"},
	"dialect_symops":     {nebula.Repaired, Whole | Foreign, "Sym-Ops where another language was taught"},
	"dialect_toolcall":   {nebula.Repaired, Whole | Foreign, "a native call where another language was taught, or one printed as text"},
	"patch_call":         {nebula.Repaired, 0, "apply_patch with a patch as its text, as a call"},
	"value_markup":       {nebula.Inferred, Foreign, "a value in tags that holds markup"},
	"given_file":         {nebula.Inferred, Foreign, "a file in a code block, handed over by words that name it, and no other block"},
	"changes_alone":      {nebula.Repaired, Foreign, "nothing but search and replace pairs below a file's name, or a diff"},
	"fenced_call":        {nebula.Inferred, Foreign, "a code block of printed calls, and nothing else"},
	"shell_line":         {nebula.Inferred, Foreign, "a command as one writes it for a shell"},
	"yaml":               {nebula.Inferred, Foreign, "a call in YAML"},
}

// placeRows are what the place of an action in its reply says of it.
var placeRows = map[string]Row{
	"said_twice":      {nebula.Repaired, 0, "the same action again, in the same form or another"},
	"place_words":     {nebula.Inferred, 0, "behind words of refusal, doubt or example"},
	"place_unsaid":    {nebula.Inferred, 0, "what deletes, publishes or migrates, beside words that do not say that it is done"},
	"place_flag":      {nebula.Inferred, 0, "with an argument that says not now: dry_run, confirm false, a condition"},
	"place_question":  {nebula.Inferred, 0, "followed by a question whether to do it"},
	"place_quotation": {nebula.Inferred, 0, "in a quotation: tags for shown text, numbered lines of a file"},
	"place_sentence":  {nebula.Inferred, 0, "in the middle of a sentence, or one of several ideas in a list"},
	"place_prose":     {nebula.Inferred, 0, "in a form that nobody taught, with prose around it"},
	"place_dress":     {nebula.Inferred, 0, "in a form that nobody taught, in a list, an indented block or a sentence"},
}
