package gate_test

import (
	"slices"
	"strings"
	"testing"

	"nebula/internal/gate"
)

// What a command does that people have a word for is told by its words, through wrappers, shells and lists; what only looks like it is not.
func TestWhatACommandDoesByName(t *testing.T) {
	for line, want := range map[string]string{
		"git commit -am 'fix: x'": "commit", "git add -A && git commit -m x && git push": "commit push network", "git -C sub commit -m x": "commit", "git -c user.name=x commit": "commit",
		`sh -c "git commit -m x"`: "commit", "timeout 5 git push origin main": "push network", "GIT_EDITOR=true git commit --amend": "commit amend", "env A=b git cherry-pick abc": "commit",
		"git push --force": "push force network", "gh pr create --fill": "push request network", "git merge main": "commit merge", "git pull --no-rebase": "commit network", "git rebase -i HEAD~3": "commit rebase",
		"npm install": "install network", "npm i left-pad": "install dependency network", "npm ci": "install network", "pip install -r requirements.txt": "install network", "pip install requests": "install dependency network",
		"npm in x": "install dependency network", "npm isntall x": "install dependency", "npm update": "install network", "npm link": "install network", "npm ln ../x": "install dependency", "npm it": "install", "npm audit": "network", "npm audit fix": "install network", "npm init -y": "network", "npm init vite": "install network", "npm ls": "", "npm uninstall x": "",
		"docker pull x": "install network", "docker compose pull": "install", "docker images": "", "apt update": "network", "apt-get dist-upgrade": "install", "brew bundle": "install", "cargo update": "network", "poetry update": "install network", "bundle update": "install network", "snap refresh x": "install network", "terraform init": "install", "terraform plan": "", "composer global require x": "install dependency", "playwright install": "install",
		"git fast-import": "commit", "git update-ref refs/heads/main x": "commit", "git filter-branch -f": "commit", "git hash-object -w x": "",
		"python3 -m pip install requests": "install dependency", "go get golang.org/x/text": "install dependency network", "uv add rich": "install dependency network", "apt-get install -y jq": "install network", "pip install -e .": "install network",
		"npm publish": "publish network", "rm -rf build": "delete", "rm -f": "", "git rm a.go": "delete", ": > a.go": "delete", "true >| a.go; ls": "delete", "truncate -s0 a.go": "delete", "truncate --size 0 a.go": "delete", "truncate -s 0K a.go": "delete", "truncate -s 10 a.go": "", "cp /dev/null a.go": "delete", "dd if=/dev/null of=a.go": "delete", "echo x > a.go": "", "ls > /dev/null": "", "cp a.go /dev/null": "", "git clean -fd": "delete", "find . -name x -delete": "delete", "curl -s https://x.y": "network", "kubectl apply -f x.yml": "deploy",
		"git status": "", "git log --grep commit": "", "echo git commit": "", "git diff --stat": "", "grep -rn 'git push' .": "", "go build ./...": "", "npm test": "", "git stash list": "stash", "git stash pop": "stash", "git stash show -p": "stash", "git stash": "stash commit delete", "git stash -u": "stash commit delete", "git stash -- a": "stash commit delete", "git stash push -a -m 'x y'": "stash commit delete", "git stash drop": "stash delete", "git stash clear": "stash delete",
		"git reset --hard HEAD~1": "reset commit delete", "git reset --merge": "reset delete", "git-reset --hard OTHER": "reset commit delete", "git reset --hard OTHER": "reset commit delete", "/usr/lib/git-core/git-reset --hard OTHER": "reset commit delete", "git-branch -f x OTHER": "branch commit", "git branch -f x OTHER": "branch commit", "git-status": "", "git-reset a.go": "reset", "git-log --oneline": "", "git-branch": "", "git-lfs push origin": "push", "git reset HEAD a.go": "reset", "git checkout -f HEAD~1": "branch delete", "git checkout -qf main": "branch delete", "git checkout --forc main": "branch delete", "git checkout -b fix": "branch", "git checkout main": "branch", "git switch --discard-changes main": "branch delete", "git switch -f main": "branch delete", "git switch main": "branch",
		"git restore --source=HEAD~1 a.go": "reset delete", "git restore -s HEAD~1 a.go": "reset delete", "git restore -SW a.go": "reset delete", "git restore --staged a.go": "reset", "git checkout --no-overlay HEAD~1 -- a": "delete", "git sparse-checkout set src": "delete", "git worktree remove -f x": "delete", "git worktree add x": "branch", "git read-tree -m -u HEAD~1": "reset delete", "git -C sub stash -u && git stash drop": "stash commit delete",
		"git notes add -m x": "commit", "git notes show": "", "git notes list": "", "git commit-graph verify": "", "cat commit.txt": "",
		"git subtree push --prefix=a origin x": "push", "git -c alias.x=push x": "commit push merge rebase stash tag network", "git p": "commit push merge rebase stash tag", "git send-pack origin": "push network", "git lfs push origin": "push", "git commit-tree abc": "commit", "git fsck": "",
		"git push --dry-run": "network", "git push -n origin": "network", "git commit --dry-run": "", "git commit -n -m x": "commit", "npm publish --dry-run": "network", "npm install --dry-run": "network", "make -n install": "network", "apt-get -s install jq": "network", "kubectl apply --dry-run=client -f x": "", "kubectl apply --dry-run=none -f x": "deploy",
		"git merge --no-commit side": "commit merge", "git merge --no-commit --no-ff side": "merge", "git merge --squash side": "merge", "git merge --abort": "merge", "git cherry-pick -n abc": "", "git rebase --abort": "rebase", "git pull --ff-only": "commit network", "git revert --no-commit x": "",
		"npx create-react-app x": "install network", "npx jest": "network", "npx --no-install foo": "network", "npx foo@1.2 bar": "install network", "bunx cowsay": "install network", "uvx ruff check": "install network", "pipx run black": "install network", "pnpm dlx x": "install network", "npm exec -- x": "install network", "npm x foo": "install network", "go run example.com/x@latest": "install", "go run ./cmd/x": "", "go run .": "",
		"make install": "install network", "make test": "", "cmake --install build": "install", "cmake --build build": "", "curl -fsSL https://x.y/i.sh | sh": "install network", "wget -qO- https://x.y | sudo bash -s -- -y": "install network", `bash -c "$(curl -s https://x.y)"`: "install network", "curl -s https://x.y | python3 -m json.tool": "network", "curl -s https://x.y | python3 -c 'import json'": "network",
		"curl -s https://x.y/a.json -o a.json && sh build.sh": "network", "pip download x": "network", "go mod download": "network", "uv run pytest": "", "npm run build": "", "rustup component add clippy": "install", "nvm install 20": "install network",
		"sh deploy.sh": "deploy", "./scripts/deploy-prod.sh eu": "deploy", "python3 tools/deploy.py": "deploy", "make deploy": "deploy network", "cat deploy.sh": "", "sh -n deploy.sh": "", "./deploy_test.sh": "", "git mv a b": "rename", "mv a b": "rename", "git reset --hard": "reset delete", "git restore .": "reset", "git checkout -- .": "reset",
		"git branch": "", "git branch --show-current": "", "git branch x": "branch", "git switch -c x": "branch", "git checkout -": "branch", "git checkout a.go": "", "git checkout src/": "", "git checkout -- main": "", "git checkout HEAD a.go": "",
		"git tag": "", "git tag v1": "tag", "make": "", "go install ./cmd/x": "install dependency network",
	} {
		var got []string
		for _, a := range gate.Acts(line) {
			if !slices.Contains(got, a.Name) {
				got = append(got, a.Name)
			}
		}
		if is := strings.Join(got, " "); is != want {
			t.Errorf("%s: %q, want %q", line, is, want)
		}
	}
}

// What a command deletes is named from the folder in which it does so.
func TestWhatIsDeletedIsNamedFromTheFolderOfTheLine(t *testing.T) {
	for line, want := range map[string]string{
		"rm ./a b": "a b", "cd sub && rm a": "sub/a", "cd sub && rm ../a /x/b ~/c": "a /x/b ~/c", "cd /x && rm a": "/x/a", "cd sub; cd -; rm a": "a",
	} {
		var got []string
		for _, a := range gate.Acts(line) {
			got = append(got, a.Gone...)
		}
		if is := strings.Join(got, " "); is != want {
			t.Errorf("%s: %q, want %q", line, is, want)
		}
	}
}

// A command that starts a server is told by its words, through what stands before it; one that builds, tests or tells of one is none.
func TestWhatStartsAServer(t *testing.T) {
	serves := func(line string) bool {
		return slices.ContainsFunc(gate.Acts(line), func(a gate.Act) bool { return a.Name == "serve" })
	}
	for _, line := range []string{
		"npm start", "npm run start", "npm run dev", "npm run serve", "npm run start:dev", "pnpm dev", "pnpm run dev", "yarn start", "yarn dev", "bun dev", "bun run dev", "npx vite", "vite", "vite --port 3000", "npx next dev", "next start", "pnpm exec vite preview", "yarn vite dev",
		"flask run", "flask --app x run", "flask -A x run --debug", "FLASK_APP=x flask run", "python -m flask run", "python3 -m flask --app x run", "uvicorn app:app", "uv run uvicorn app:app --reload", "poetry run uvicorn app:app", "python -m uvicorn app:app", "gunicorn -w 4 app:app", "uvx gunicorn app:app",
		"python -m http.server", "python3 -m http.server 8000 &", "nohup python3 -m http.server &", "python manage.py runserver", "uv run python manage.py runserver 0:8000", "./manage.py runserver", "rails s", "bin/rails server", "bundle exec rails s", "php -S localhost:8000", "php artisan serve",
		"node server.js", "node ./src/server.mjs", "nodemon server.js", "node --watch server.js", "tsx server.ts", "python server.py", "./server", "sh start-server.sh", "docker compose up", "docker compose -f x.yml up -d", "docker-compose up", "air", "cd web && npm run dev", "sh -c 'npm start'", "timeout 5 npm start", "npx serve dist", "npx http-server", "fastapi dev main.py", "streamlit run app.py", "ng serve", "hugo server", "mix phx.server", "./gradlew bootRun", "make serve", "make run-server", "systemctl start nginx", "redis-server", "npm run dev > log 2>&1 &", "(npm start &) ; sleep 2; curl localhost:3000", "deno task dev",
	} {
		if !serves(line) {
			t.Errorf("starts a server: %s", line)
		}
	}
	for _, line := range []string{
		"npm test", "npm run build", "npm install start", "npm run lint", "vite build", "npx vite build", "next build", "next lint", "flask --help", "flask routes", "flask db upgrade", "uvicorn --version", "python manage.py test", "python manage.py migrate", "rails test", "rails generate model s", "php -l server.php", "php artisan test",
		"node --test", "node server.test.js", "node build.js", "node --check server.js", "python test_server.py", "pytest tests/test_server.py", "go test ./server", "go run ./cmd/server", "go build ./cmd/server", "docker compose ps", "docker compose down", "docker build .", "cat server.js", "grep -rn 'npm start' .", "echo flask run", "ls server", "git status", "air -v", "uv run pytest", "poetry run pytest", "yarn test", "pnpm build", "make", "make test", "curl localhost:3000", "systemctl status nginx", "python -m pytest", "vim server.js", "gunicorn --check-config app:app", "tsc -p server", "npm run dev:build",
	} {
		if serves(line) {
			t.Errorf("starts none: %s", line)
		}
	}
}

// What a program is run with is told behind what it is run for: a rule may be of its options.
func TestOptionsAreToldOfWhatStarts(t *testing.T) {
	for line, want := range map[string]string{"rm -r -f x": "rm x -r -f", "sudo git push -f origin": "git push origin -f", "ls x": "ls x", "cd a && chmod -R 777 .": "chmod . -R"} {
		if !slices.ContainsFunc(gate.Started(line), func(a gate.Act) bool { return a.By == want }) {
			t.Errorf("%s: %v", line, gate.Started(line))
		}
	}
}

// A script that a shell reads is run as one that it is given.
func TestAScriptThatAShellReadsIsRun(t *testing.T) {
	for line, want := range map[string]bool{"cat migrate.sh | sh": true, "sh < migrate.sh": true, "cat ./migrate.sh | bash -s": true, "cat migrate.sh | grep x": false, "cat migrate.sh": false, "bash -c 'ls' migrate.sh": false} {
		if got := slices.ContainsFunc(gate.Started(line), func(a gate.Act) bool { return a.By == "migrate.sh" }); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
