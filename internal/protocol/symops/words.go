package symops

// The five canonical words (specification §2.3.3). Every other verb a tool answers to is kept as written.
const (
	create = "create"
	edit   = "edit"
	remove = "delete"
	run    = "run"
	test   = "test"
)

// verbs maps what models write to the canonical word. Keys are lower case with single spaces.
var verbs = map[string]string{
	"create": create, "create file": create, "create_file": create, "createfile": create, "new": create, "new file": create,
	"new_file": create, "add": create, "add file": create, "add_file": create, "write": create, "write file": create,
	"write_file": create, "writefile": create, "write to file": create, "write_to_file": create, "make": create, "make file": create,
	"generate": create, "generate file": create, "save": create, "save file": create, "save_file": create, "touch": create,
	"create new file": create, "file_ops.write_file": create, "file_ops.write": create,
	"作成": create, "作成する": create, "新規": create, "新規作成": create, "追加": create, "生成": create, "書き込み": create, "書き込む": create,
	"ファイル作成": create, "保存": create,

	"edit": edit, "edit file": edit, "edit_file": edit, "editfile": edit, "modify": edit, "modify file": edit, "modify_file": edit,
	"update": edit, "update file": edit, "update_file": edit, "updatefile": edit, "change": edit, "change file": edit, "replace": edit,
	"replace file": edit, "replace_file": edit, "rewrite": edit, "rewrite file": edit, "overwrite": edit, "patch": edit,
	"fix": edit, "refactor": edit, "revise": edit, "alter": edit, "adjust": edit, "amend": edit, "file_ops.edit_file": edit,
	"replace_in_file": edit, "str_replace": edit, "apply_diff": edit, "apply_patch": edit, "patch file": edit,
	"編集": edit, "編集する": edit, "修正": edit, "修正する": edit, "変更": edit, "変更する": edit, "更新": edit,
	"更新する": edit, "書き換え": edit, "書き換える": edit, "上書き": edit, "置換": edit, "置き換え": edit, "ファイル編集": edit,

	"delete": remove, "delete file": remove, "delete_file": remove, "deletefile": remove, "remove": remove, "remove file": remove,
	"remove_file": remove, "removefile": remove, "rm": remove, "del": remove, "unlink": remove, "erase": remove, "drop": remove,
	"file_ops.delete": remove, "削除": remove, "削除する": remove, "消去": remove, "除去": remove, "ファイル削除": remove,

	"run": run, "run command": run, "run_command": run, "runcommand": run, "run shell": run, "run_shell": run, "execute": run,
	"execute command": run, "execute_command": run, "executecommand": run, "execute_shell": run, "executeshell": run, "exec": run,
	"shell": run, "shell command": run, "run_shell_command": run, "command": run, "cmd": run, "bash": run, "sh": run, "terminal": run,
	"run_terminal_cmd": run, "run_in_terminal": run, "invoke": run,
	"実行": run, "実行する": run, "コマンド実行": run, "コマンド": run, "起動": run,

	"test": test, "tests": test, "run test": test, "run tests": test, "run_test": test, "run_tests": test, "runtests": test, "check": test,
	"verify": test, "validate": test, "テスト": test, "テストする": test, "テスト実行": test, "検証": test, "検証する": test, "確認": test,
}

// programs are first words of a shell command: without an @ they make the line a command, also where the word is a
// verb, too.
var programs = set("ansible", "apt", "apt-get", "aws", "awk", "az", "bash", "black", "brew", "bun", "bundle", "cabal", "cargo", "cat", "cd",
	"chmod", "chown", "clang", "cmake", "code", "composer", "conda", "cp", "curl", "deno", "diff", "django-admin", "dnf", "docker", "docker-compose",
	"dotnet", "echo", "elixir", "env", "eslint", "export", "ffmpeg", "find", "flake8", "flask", "flutter", "gcc", "gcloud", "gem", "gh",
	"ghc", "git", "go", "gofmt", "golangci-lint", "gradle", "grep", "g++", "gunzip", "gzip", "head", "heroku", "helm", "java", "javac", "jest", "jq", "julia",
	"just", "kill", "kubectl", "ln", "ls", "lua", "make", "meson", "mix", "mkdir", "mocha", "mv", "mvn", "mypy", "mysql", "nginx", "ninja",
	"node", "npm", "npx", "openssl", "perl", "php", "phpunit", "pip", "pip3", "pipenv", "pnpm", "poetry", "pre-commit", "prettier", "psql",
	"pwd", "py.test", "pyright", "pytest", "python", "python3", "R", "rails", "rake", "redis-cli", "rm", "rmdir", "rsync", "rspec", "Rscript", "ruby",
	"ruff", "rustc", "rustup", "sbt", "scala", "scp", "sed", "sh", "sleep", "sort", "source", "sqlite3", "ssh", "stack", "sudo", "swift",
	"systemctl", "tail", "tar", "tee", "terraform", "time", "touch", "tox", "tree", "tsc", "ts-node", "uv", "uvicorn", "vite", "vitest",
	"vue", "wc", "wget", "which", "xargs", "yarn", "yum", "zig", "zip", "unzip", "zsh", "winget", "choco", "powershell", "pwsh")

// toolWords are words of other tools, so that `$ read src/a.go` is not taken for a shell command.
var toolWords = set("read", "readfile", "read_file", "list", "list_files", "listfiles", "ls", "search", "search_in_directory", "searchindirectory",
	"search_code", "searchcode", "mkdir", "create_directory", "createdirectory", "plan", "propose", "ask", "askuser", "ask_user",
	"proposeplan", "updatestep", "getplan", "generatetasks", "runtasks", "updatestate", "state_delta", "view", "open", "show",
	"move", "rename", "copy", "grep", "find")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// label is what a "Word: text" line stands for.
type label uint8

const (
	noLabel label = iota
	thoughtLabel
	questionLabel
	errorLabel
	verbLabel
	pathLabel
	dependencyLabel
	contentLabel
	commandLabel
	vitalsLabel
	inputLabel  // ReAct's Action Input: a JSON object
	headerLabel // Actions:, Output: and the like: a heading without a meaning of its own
)

var labels = map[string]label{
	"thought": thoughtLabel, "thoughts": thoughtLabel, "thinking": thoughtLabel, "reasoning": thoughtLabel, "think": thoughtLabel,
	"思考": thoughtLabel, "推論": thoughtLabel, "考え": thoughtLabel, "thought process": thoughtLabel, "rationale": thoughtLabel,
	"question": questionLabel, "questions": questionLabel, "質問": questionLabel, "確認事項": questionLabel,
	"error": errorLabel, "errors": errorLabel, "エラー": errorLabel, "warning": errorLabel, "警告": errorLabel,
	"action": verbLabel, "operation": verbLabel, "action type": verbLabel, "アクション": verbLabel, "操作": verbLabel, "verb": verbLabel,
	"tool": verbLabel, "type": verbLabel,
	"path": pathLabel, "file": pathLabel, "target": pathLabel, "filename": pathLabel, "file path": pathLabel, "filepath": pathLabel,
	"file name": pathLabel, "file_path": pathLabel, "パス": pathLabel, "ファイル": pathLabel, "対象": pathLabel, "ファイル名": pathLabel,
	"depends on": dependencyLabel, "depends_on": dependencyLabel, "dependency": dependencyLabel, "dependencies": dependencyLabel,
	"depends": dependencyLabel, "requires": dependencyLabel, "依存": dependencyLabel, "依存関係": dependencyLabel, "after": dependencyLabel,
	"content": contentLabel, "contents": contentLabel, "code": contentLabel, "body": contentLabel, "内容": contentLabel, "コード": contentLabel,
	"file content": contentLabel, "new content": contentLabel, "new_content": contentLabel,
	"command": commandLabel, "cmd": commandLabel, "コマンド": commandLabel,
	"action input": inputLabel, "action_input": inputLabel, "arguments": inputLabel, "args": inputLabel, "parameters": inputLabel, "input": inputLabel,
	"vitals": vitalsLabel, "duck vitals": vitalsLabel, "バイタル": vitalsLabel,
	"actions": headerLabel, "output": headerLabel, "sym-ops": headerLabel, "symops": headerLabel,
	"corrected output": headerLabel, "assistant": headerLabel, "response": headerLabel, "answer": headerLabel,
}

// vital names the four vitals in every spelling.
var vitalWords = map[string]byte{
	"c": 'c', "confidence": 'c', "conf": 'c', "信頼度": 'c', "自信": 'c', "確信度": 'c',
	"m": 'm', "mood": 'm', "気分": 'm', "ムード": 'm',
	"f": 'f', "focus": 'f', "集中": 'f', "集中度": 'f', "集中力": 'f',
	"s": 's', "stamina": 's', "体力": 's', "スタミナ": 's',
}
