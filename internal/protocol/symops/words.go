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
	"创建": create, "创建文件": create, "新建": create, "新建文件": create, "新增": create, "添加": create, "写入": create, "写入文件": create,
	"建立": create, "創建": create, "생성": create, "작성": create, "추가": create, "파일 생성": create,

	"edit": edit, "edit file": edit, "edit_file": edit, "editfile": edit, "modify": edit, "modify file": edit, "modify_file": edit,
	"update": edit, "update file": edit, "update_file": edit, "updatefile": edit, "change": edit, "change file": edit, "replace": edit,
	"replace file": edit, "replace_file": edit, "rewrite": edit, "rewrite file": edit, "overwrite": edit, "patch": edit,
	"fix": edit, "refactor": edit, "revise": edit, "alter": edit, "adjust": edit, "amend": edit, "file_ops.edit_file": edit,
	"replace_in_file": edit, "str_replace": edit, "apply_diff": edit, "apply_patch": edit, "patch file": edit,
	"編集": edit, "編集する": edit, "修正": edit, "修正する": edit, "変更": edit, "変更する": edit, "更新": edit,
	"更新する": edit, "書き換え": edit, "書き換える": edit, "上書き": edit, "置換": edit, "置き換え": edit, "ファイル編集": edit,
	"编辑": edit, "编辑文件": edit, "修改": edit, "修改文件": edit, "更改": edit, "替换": edit, "重写": edit, "改写": edit, "編輯": edit,
	"수정": edit, "편집": edit, "변경": edit, "파일 수정": edit,

	"delete": remove, "delete file": remove, "delete_file": remove, "deletefile": remove, "remove": remove, "remove file": remove,
	"remove_file": remove, "removefile": remove, "rm": remove, "del": remove, "unlink": remove, "erase": remove, "drop": remove,
	"file_ops.delete": remove, "削除": remove, "削除する": remove, "消去": remove, "除去": remove, "ファイル削除": remove,
	"删除": remove, "删除文件": remove, "移除": remove, "刪除": remove, "삭제": remove, "제거": remove,

	"run": run, "run command": run, "run_command": run, "runcommand": run, "run shell": run, "run_shell": run, "execute": run,
	"execute command": run, "execute_command": run, "executecommand": run, "execute_shell": run, "executeshell": run, "exec": run,
	"shell": run, "shell command": run, "run_shell_command": run, "command": run, "cmd": run, "bash": run, "sh": run, "terminal": run,
	"run_terminal_cmd": run, "run_in_terminal": run, "invoke": run,
	"実行": run, "実行する": run, "コマンド実行": run, "コマンド": run, "起動": run,
	"运行": run, "执行": run, "运行命令": run, "执行命令": run, "启动": run, "命令": run, "運行": run, "執行": run, "실행": run,

	"test": test, "tests": test, "run test": test, "run tests": test, "run_test": test, "run_tests": test, "runtests": test, "check": test,
	"verify": test, "validate": test, "テスト": test, "テストする": test, "テスト実行": test, "検証": test, "検証する": test, "確認": test,
	"测试": test, "运行测试": test, "验证": test, "检查": test, "測試": test, "테스트": test, "검증": test,
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
	"思路": thoughtLabel, "想法": thoughtLabel, "推理": thoughtLabel, "思考过程": thoughtLabel, "생각": thoughtLabel,
	"question": questionLabel, "questions": questionLabel, "質問": questionLabel, "確認事項": questionLabel,
	"问题": questionLabel, "提问": questionLabel, "질문": questionLabel,
	"error": errorLabel, "errors": errorLabel, "エラー": errorLabel, "warning": errorLabel, "警告": errorLabel,
	"错误": errorLabel, "오류": errorLabel,
	"action": verbLabel, "operation": verbLabel, "action type": verbLabel, "アクション": verbLabel, "操作": verbLabel, "verb": verbLabel,
	"tool": verbLabel, "type": verbLabel, "动作": verbLabel, "行动": verbLabel, "작업": verbLabel,
	"path": pathLabel, "file": pathLabel, "target": pathLabel, "filename": pathLabel, "file path": pathLabel, "filepath": pathLabel,
	"file name": pathLabel, "file_path": pathLabel, "パス": pathLabel, "ファイル": pathLabel, "対象": pathLabel, "ファイル名": pathLabel,
	"路径": pathLabel, "文件": pathLabel, "文件名": pathLabel, "目标": pathLabel, "文件路径": pathLabel, "경로": pathLabel, "파일": pathLabel,
	"depends on": dependencyLabel, "depends_on": dependencyLabel, "dependency": dependencyLabel, "dependencies": dependencyLabel,
	"depends": dependencyLabel, "requires": dependencyLabel, "依存": dependencyLabel, "依存関係": dependencyLabel, "after": dependencyLabel, "依赖": dependencyLabel, "의존": dependencyLabel,
	"content": contentLabel, "contents": contentLabel, "code": contentLabel, "body": contentLabel, "内容": contentLabel, "コード": contentLabel,
	"代码": contentLabel, "내용": contentLabel, "코드": contentLabel,
	"file content": contentLabel, "new content": contentLabel, "new_content": contentLabel,
	"command": commandLabel, "cmd": commandLabel, "コマンド": commandLabel, "命令": commandLabel, "명령": commandLabel,
	"action input": inputLabel, "action_input": inputLabel, "arguments": inputLabel, "args": inputLabel, "parameters": inputLabel, "input": inputLabel,
	"vitals": vitalsLabel, "duck vitals": vitalsLabel, "バイタル": vitalsLabel, "状态": vitalsLabel,
	"actions": headerLabel, "output": headerLabel, "sym-ops": headerLabel, "symops": headerLabel,
	"corrected output": headerLabel, "assistant": headerLabel, "response": headerLabel, "answer": headerLabel,
}

// vital names the four vitals in every spelling.
var vitalWords = map[string]byte{
	"c": 'c', "confidence": 'c', "conf": 'c', "信頼度": 'c', "自信": 'c', "確信度": 'c', "信心": 'c', "信心度": 'c', "置信度": 'c', "자신감": 'c',
	"m": 'm', "mood": 'm', "気分": 'm', "ムード": 'm', "心情": 'm', "情绪": 'm', "기분": 'm',
	"f": 'f', "focus": 'f', "集中": 'f', "集中度": 'f', "集中力": 'f', "专注": 'f', "专注度": 'f', "注意力": 'f', "집중": 'f', "집중도": 'f',
	"s": 's', "stamina": 's', "体力": 's', "スタミナ": 's', "精力": 's', "耐力": 's', "체력": 's',
}
