package symops

import "strings"

// The five canonical words (specification §2.3.3). Every other verb a tool answers to is kept as written.
const (
	create = "create"
	edit   = "edit"
	remove = "delete"
	run    = "run"
	test   = "test"
)

var canon = []string{create, edit, remove, run, test}

// verbs are what models write for each of the five, folded: in small letters, without blanks and underscores.
var verbs = meanings(map[string]string{
	create: `create createfile new newfile add addfile write writefile writetofile make makefile generate generatefile save savefile touch createnewfile
		fileops.writefile fileops.write 作成 作成する 新規 新規作成 追加 生成 書き込み 書き込む ファイル作成 保存 创建 创建文件 新建 新建文件 新增 添加 写入 写入文件 建立 創建 생성 작성 추가 파일생성`,
	edit: `edit editfile modify modifyfile update updatefile change changefile replace replacefile rewrite rewritefile overwrite patch fix refactor
		revise alter adjust amend fileops.editfile replaceinfile strreplace applydiff applypatch 編集 編集する 修正 修正する 変更 変更する 更新 更新する 書き換え
		書き換える 上書き 置換 置き換え ファイル編集 编辑 编辑文件 修改 修改文件 更改 替换 重写 改写 編輯 수정 편집 변경 파일수정`,
	remove: `delete deletefile remove removefile rm del unlink erase drop fileops.delete 削除 削除する 消去 除去 ファイル削除 删除 删除文件 移除 刪除 삭제 제거`,
	run: `run runcommand runshell execute executecommand executeshell exec shell shellcommand runshellcommand command cmd bash sh terminal
		runterminalcmd runinterminal invoke 実行 実行する コマンド実行 コマンド 起動 运行 执行 运行命令 执行命令 启动 命令 運行 執行 실행`,
	test: `test tests runtest runtests check verify validate テスト テストする テスト実行 検証 検証する 確認 测试 运行测试 验证 检查 測試 테스트 검증`,
}, " ")

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
var toolWords = set("read", "readfile", "list", "listfiles", "ls", "search", "searchindirectory", "searchcode", "mkdir", "createdirectory", "plan", "propose", "ask", "askuser",
	"proposeplan", "updatestep", "getplan", "generatetasks", "runtasks", "updatestate", "statedelta", "view", "open", "show", "move", "rename", "copy", "grep", "find")

// meanings turns rows of words that mean the same into a table by the word.
func meanings[T comparable](rows map[T]string, sep string) map[string]T {
	m := map[string]T{}
	for meaning, words := range rows {
		for word := range strings.SplitSeq(strings.ReplaceAll(words, "\n", sep), sep) {
			if word = strings.TrimSpace(word); word != "" {
				m[word] = meaning
			}
		}
	}
	return m
}

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

var labels = meanings(map[label]string{
	thoughtLabel:    `thought, thoughts, thinking, reasoning, think, 思考, 推論, 考え, thought process, rationale, 思路, 想法, 推理, 思考过程, 생각`,
	questionLabel:   `question, questions, 質問, 確認事項, 问题, 提问, 질문`,
	errorLabel:      `error, errors, エラー, warning, 警告, 错误, 오류`,
	verbLabel:       `action, operation, action type, アクション, 操作, verb, tool, type, 动作, 行动, 작업`,
	pathLabel:       `path, file, target, filename, file path, filepath, file name, file_path, パス, ファイル, 対象, ファイル名, 路径, 文件, 文件名, 目标, 文件路径, 경로, 파일`,
	dependencyLabel: `depends on, depends_on, dependency, dependencies, depends, requires, 依存, 依存関係, after, 依赖, 의존`,
	contentLabel:    `content, contents, code, body, 内容, コード, 代码, 내용, 코드, file content, new content, new_content`,
	commandLabel:    `command, cmd, コマンド, 命令, 명령`,
	inputLabel:      `action input, action_input, arguments, args, parameters, input`,
	vitalsLabel:     `vitals, duck vitals, バイタル, 状态`,
	headerLabel:     `actions, output, sym-ops, symops, corrected output, assistant, response, answer`,
}, ",")

// vital names the four vitals in every spelling.
var vitalWords = meanings(map[byte]string{
	'c': `c confidence conf 信頼度 自信 確信度 信心 信心度 置信度 자신감`,
	'm': `m mood 気分 ムード 心情 情绪 기분`,
	'f': `f focus 集中 集中度 集中力 专注 专注度 注意力 집중 집중도`,
	's': `s stamina 体力 スタミナ 精力 耐力 체력`,
}, " ")
