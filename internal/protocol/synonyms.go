package protocol

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// toolWords are what models call the tools of other programs, each row one meaning, all folded: a tool that answers to
// one word of a row is meant by every other, unless another tool answers to that itself.
var toolWords = [][]string{
	{"readfile", "read", "cat", "view", "viewfile", "openfile", "open", "getfile", "showfile", "loadfile", "filereader", "readfiles", "readtextfile", "getfilecontents", "fsread", "ファイルを読む", "ファイル読み込み", "ファイルを開く", "読む", "読み込み", "読み取り"},
	{"writefile", "write", "writetofile", "createfile", "newfile", "savefile", "save", "filewriter", "addfile", "fswrite", "puttextfile", "createnewfile", "writetextfile", "ファイルを書く", "ファイル書き込み", "ファイルを作成", "ファイル作成", "作成", "書く", "書き込み"},
	{"editfile", "edit", "modify", "modifyfile", "updatefile", "overwrite", "overwritefile", "rewrite", "rewritefile", "replacefile", "fileedit", "ファイルを編集", "ファイル編集", "編集", "変更"},
	{"patchfile", "patch", "strreplace", "stringreplace", "replaceinfile", "searchreplace", "searchandreplace", "applydiff", "applyedit", "multiedit", "replace", "strreplaceeditor", "strreplacebasededittool", "texteditor", "replacestring", "部分編集", "置換"},
	{"deletefile", "delete", "remove", "removefile", "rm", "unlink", "erase", "ファイルを削除", "ファイル削除", "削除"},
	{"createdirectory", "mkdir", "makedirectory", "createfolder", "makedir", "newfolder", "フォルダを作成", "ディレクトリ作成", "ディレクトリを作成"},
	{"listfiles", "ls", "list", "listdir", "listdirectory", "dir", "listfolder", "readdir", "viewdirectory", "findfiles", "tree", "一覧", "ファイル一覧", "ディレクトリ一覧"},
	{"searchindirectory", "grep", "search", "searchfiles", "searchtext", "find", "ripgrep", "rg", "searchfile", "grepsearch", "findinfiles", "filesearch", "検索", "探す"},
	{"searchcode", "codebasesearch", "codesearch", "semanticsearch", "codebase", "コード検索"},
	{"executeshell", "bash", "shell", "sh", "run", "runcommand", "executecommand", "exec", "execute", "terminal", "runshell", "runshellcommand", "shellcommand", "runinterminal", "runterminalcommand", "runterminalcmd", "command", "cmd", "execcommand", "executebash", "powershell", "コマンドを実行", "コマンド実行", "シェル", "実行"},
	{"runtests", "test", "tests", "runtest", "executetests", "pytest", "testrunner", "テスト", "テストを実行", "テスト実行"},
	{"askuser", "ask", "askfollowupquestion", "askquestion", "askhuman", "question", "userinput", "質問", "質問する", "ユーザーに質問"},
}

// editors are tools of other programs that do several things, folded: a member of their arguments says which.
var editors = []string{"strreplaceeditor", "strreplacebasededittool", "texteditor"}

// Meant is the tool that a call means: the one that its name answers to, or its command where it names one of several.
func Meant(name string, args json.RawMessage, tools []nebula.ToolSpec) (nebula.ToolSpec, bool) {
	var does struct{ Command string }
	if lists.Has(editors, unversioned(fold(bareName(name)))) && json.Unmarshal(args, &does) == nil {
		if spec, ok := Find(does.Command, tools); ok {
			return spec, true
		}
	}
	return Find(name, tools)
}

// unversioned is a name without the digits at its end.
//
//go:noinline
func unversioned(name string) string { return strings.TrimRight(name, "0123456789") }

// synonym is the tool that a row of words says is meant.
func synonym(form string, tools []nebula.ToolSpec) (nebula.ToolSpec, bool) {
	form = unversioned(form)
	for _, row := range toolWords {
		if !lists.Has(row, form) {
			continue
		}
		for _, t := range tools {
			if lists.Has(row, fold(t.Name)) || slices.ContainsFunc(t.Aliases, func(s string) bool { return lists.Has(row, fold(s)) }) {
				return t, true
			}
		}
	}
	return nebula.ToolSpec{}, false
}

// reasons are the names under which models say why.
var reasons = []string{"reason", "reasoning", "rationale", "why", "explanation", "thought"}

// envelopes are the names under which models put all arguments one level too deep.
var envelopes = []string{"arguments", "args", "parameters", "params", "input", "kwargs", "actioninput", "toolinput", "with"}

// argumentWords are what models write for an argument, by the argument's own name, both folded. One is taken only while
// the right name is absent and the tool has no argument of that other name.
var argumentWords = map[string][]string{
	"path":       {"filepath", "ファイル", "パス", "ファイルパス", "uri", "file", "filename", "paths", "files", "filepaths", "filenames", "targetfile", "target", "pathname", "directory", "dir", "folder", "directorypath", "dirpath", "relativepath", "absolutepath"},
	"directory":  {"dir", "path", "folder", "directorypath", "dirpath", "root", "searchpath"},
	"content":    {"contents", "内容", "text", "code", "newcontent", "filecontent", "filetext", "body", "data", "source"},
	"newcontent": {"content", "内容", "newcontents", "contents", "text", "code", "filecontent", "filetext", "newtext", "body", "data"},
	"command":    {"cmd", "コマンド", "shellcommand", "script", "shell", "bash", "commandline"},
	"keyword":    {"query", "pattern", "text", "term", "search", "searchterm", "searchtext", "q"},
	"query":      {"keyword", "q", "search", "text", "searchquery", "term"},
	"question":   {"text", "prompt", "message", "query"},
	"options":    {"choices", "answers"},
	"todos":      {"items", "plan", "todolist", "tasks", "steps", "list", "checklist"},
	"pattern":    {"glob", "filter"},
	"glob":       {"pattern", "include", "filter"},
	"recursive":  {"recurse", "deep"},
	"limit":      {"maxresults", "count", "max", "lines", "maxlines", "numlines"},
	"offset":     {"start", "startline", "line", "from"},
	"numbers":    {"linenumbers", "showlinenumbers", "withlinenumbers", "numbered"},
	"context":    {"contextlines", "linesofcontext", "around"},
	"ignorecase": {"caseinsensitive", "insensitive", "i"},
	"timeout":    {"timeoutseconds", "timeoutms", "seconds"},
	"edits":      {"changes", "replacements", "patches"},
	"old":        {"oldstring", "oldstr", "oldtext", "original", "oldcontent", "oldcode", "from", "search", "find", "before", "searchtext", "target"},
	"new":        {"newstring", "newstr", "newtext", "updated", "newcode", "to", "replace", "replacement", "after", "newcontent", "content"},
}

// SaysChange reports whether an object has what a change is made of, and nothing else: what is there and what comes, or a list of such.
func SaysChange(object map[string]json.RawMessage) bool {
	said := map[string]bool{}
	for key := range object {
		name := fold(key)
		for _, of := range []string{"edits", "old", "new"} {
			if name == of || lists.Has(argumentWords[of], name) {
				said[of], name = true, "all"
			}
		}
		if name != "all" && name != "replaceall" && name != "path" {
			return false
		}
	}
	return said["edits"] != (said["old"] && said["new"])
}
