package gate_test

import (
	"slices"
	"strings"
	"testing"

	"nebula/internal/gate"
	"nebula/internal/lists"
)

// A command that migrates a database is told by its words, through what stands before it; one that tells of migrations or writes one is none.
func TestWhatMigratesADatabase(t *testing.T) {
	for want, lines := range map[bool][]string{
		true: {"alembic upgrade head", "alembic -c a.ini downgrade -1", "python -m alembic upgrade head", "poetry run alembic upgrade head", "python manage.py migrate", "./manage.py migrate shop", "uv run python manage.py migrate", "flask db upgrade", "rails db:migrate", "bin/rails db:rollback", "bundle exec rake db:migrate", "npx prisma migrate deploy",
			"npx knex migrate:latest", "npx sequelize-cli db:migrate", "php artisan migrate --force", "mix ecto.migrate", "diesel migration run", "sqlx migrate run", "goose up", "goose -dir m postgres dsn up", "migrate -path m -database d up", "dbmate up", "flyway migrate", "make migrate", "make db-migrate", "npm run migrate", "npm run db:migrate", "yarn migrate:latest", "sh migrate.sh", "./scripts/run-migrations.sh", "python3 tools/migrate.py", "dotnet ef database update", "cd api && alembic upgrade head", "sh -c 'alembic upgrade head'"},
		false: {"alembic history", "alembic revision -m x", "alembic upgrade head --sql", "python manage.py makemigrations", "python manage.py showmigrations", "python manage.py migrate --plan", "flask db migrate -m x", "rails g migration AddX", "npx prisma generate", "npx knex migrate:make x", "npm test", "npm run build", "make test", "cat migrations/1.sql", "ls migrations", "git add migrations", "go test ./migrations", "pytest tests/test_migrate.py", "python3 tools/migrated.py", "echo alembic upgrade head", "grep -rn migrate .", "git checkout migrate", "goose status", "sqlx migrate add x", "sh -n migrate.sh"},
	} {
		for _, line := range lines {
			if got := slices.ContainsFunc(gate.Acts(line), func(a gate.Act) bool { return a.Name == "migrate" }); got != want {
				t.Errorf("%s: %v", line, got)
			}
		}
	}
}

// What git prints of files is known by its lines only as long as they stay as they are.
func TestWhatGitPours(t *testing.T) {
	for want, lines := range map[gate.Poured][]string{
		gate.Ever: {"git log -p > q.txt", "git log -p | rev", "git log -p | tr a-z A-Z", "git show | xxd -p", "git show HEAD | base64", "git diff HEAD~1 > q", "git grep . > q", "git grep -h . | rev", "git -C . log -p | head | rev", "sh -c 'git log -p | rev'", "git stash show -p | cat > q", "{ git show; echo; } >> q", "git cat-file --batch-all-objects --batch | rev", "git blame a.txt | cut -c3-", "git log -p -- . | base64 -w0", "git show --stat -p > q", "git log -p | grep -o .", "git show | head -c 9", "git show | sed s/a/b/", "git log -p | grep key", "git log -p | tail -20", "git show | sed -n 20,40p", "git show | sort", "git cat-file -p 4a8a552", "git cat-file blob 4a8a552", "git fast-export --all", "git unpack-file 4a8a", "git grep -h key HEAD~1", "git diff --output=q HEAD~1", "git format-patch -1", "git bundle create q --all > x", "git diff --cached > q",
			`git grep -q "$s$c" HEAD`, "git grep -l x HEAD", "git grep -c -e x HEAD", "git grep -qe x HEAD", "git grep -ex HEAD", "git grep x src", "git grep key HEAD~1", "git grep -L x main > /dev/null", "git grep x HEAD -- ':!src'", "git grep x HEAD -- . ':(exclude)src'", `git log --format=%H -S"$s$c"`, "git log -G x -s", "git log --pickaxe-regex -S x", `git diff -S"$s$c" --name-only 4b825dc HEAD`,
			"git diff-tree -r -S x --root HEAD", "git log -pSx", "git log -S x -- .", "git diff --exit-code -I x A B", "git format-patch -Sx --stdout | wc -c", "for c in a b; do git log -1 -S $c; done", "git log -p -- ':!src' | rev"},
		gate.Tracked:   {"git worktree add x HEAD~1", "git clone . x", "git clone -q ../w x", "git checkout-index -a --prefix=x/", "git archive -o x.tar HEAD", "git --work-tree=x checkout -f HEAD", "cd a && git worktree add ../b", "git grep key", "git grep -l x | xargs cat", "git grep -q x", "git grep -c -e x", "git grep --cached x", "git grep --files-with-matches x", "git grep x src/", "git grep x .", "git grep -A 2 x"},
		gate.Differing: {"git diff > x.patch", "git diff | tee q", "git diff -w | rev"},
		gate.Nothing:   {"git log -p", "git log --oneline > q", "git diff | head -50", "git show HEAD | cat", "git show | sed -n 1,40p", "git diff --stat > q", "git diff --name-only | xargs wc", "git show 2>/dev/null", "git diff > /dev/null", "git show HEAD:a.txt > b.txt", "git diff -- src/a.go > q", "git status | rev", "echo git log -p > q", "git diff; npm test > q", "npm test | rev", "git stash show | rev", "git worktree list", "git clone https://a.example/b", "git cat-file -t HEAD", "git cat-file -p HEAD:a.go", "git format-patch -1 --stdout", "git archive HEAD -- src", "git grep x HEAD -- src", "git log -S x -- src/a.go", "git commit -S -m x", "git restore -S a", "git log --grep x", "git log --oneline -5 --stat"},
	} {
		for _, line := range lines {
			if got := gate.Pours(line); got != want {
				t.Errorf("%s: %v", line, got)
			}
		}
	}
}

// What git gives of a folder that a line names is told with the folder, however it is named; a folder is named by what names one.
func TestWhatGitGivesOfAFolderIsToldWithIt(t *testing.T) {
	for line, want := range map[string]string{
		"git grep x HEAD -- sub": "sub", "git grep -h x HEAD~1 -- sub/": "sub/", "cd sub && git grep x HEAD -- ../a": "a", "git -C sub grep x HEAD -- b": "sub/b", "git grep x HEAD -- ':/sub'": "sub",
		"git log -S x -- sub": "sub", "git archive HEAD -- sub": "sub", "git archive HEAD:sub": "sub", "git log -p -- sub | rev": "sub", "git show HEAD -- sub > q": "sub", "git diff -- sub | base64": "sub", "git fast-export --all -- sub": "sub", "git grep x -- sub": "sub",
		"sh -c 'git grep x HEAD -- sub'": "sub",
		"git log -p -- sub":              "", "git diff -- sub": "", "git grep x HEAD": "", "git log --oneline -- sub | rev": "", "git add -- sub": "", "git worktree add -- x HEAD": "", "git clone -- . x": "",
	} {
		var got []string
		for _, s := range gate.Sources(line) {
			if !lists.Has(got, s.Path) {
				got = append(got, s.Path)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", line, got)
		}
	}
	for _, line := range []string{"git worktree add -- x HEAD", "git clone -- . x"} {
		if gate.Pours(line) != gate.Tracked {
			t.Error(line)
		}
	}
}

// What a line has a shell run that stands in it as a text is seen, whoever is given it.
func TestWhatIsRunByAText(t *testing.T) {
	for line, want := range map[string]bool{
		"eval 'rm a.txt'": true, `eval "r""m a.txt"`: true, "eval rm a.txt": true, "trap 'rm a.txt' EXIT": true, "flock x rm a.txt": true, "flock x -c 'rm a.txt'": true, `awk 'BEGIN{system("rm a.txt")}'`: true, `awk '{print "rm a.txt" | "sh"}' b`: true,
		"sed -n '1e rm a.txt' b": true, "sed '/x/e rm a.txt' b": true,
		"trap - EXIT": false, `eval "$x"`: false, `awk '{print "rm a.txt"}' b`: false, "echo eval rm a.txt": false, "sed 's/e rm/x/' b": false,
	} {
		if got := slices.ContainsFunc(gate.Started(line), func(a gate.Act) bool { return strings.HasPrefix(a.By, "rm") }); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// What a line may show of a file is told by the words that it gives to what reads.
func TestWhatALineOpens(t *testing.T) {
	for line, want := range map[string]bool{
		"cat secrets.txt": true, "cd a && head ../secrets.txt": true, "grep x secrets.txt": true, "cp secrets.txt b.txt": true, "wc -c < secrets.txt": true, "sh -c 'cat secrets.txt'": true, `python3 -c "print(open('secrets.txt').read())"`: true, "base64 ./secrets.txt | tr a b": true, "mv secrets.txt b": true, "rev {secrets,x}.txt": true, "git diff secrets.txt": true, "find . -name secrets.txt -exec cat {} +": true, "curl -d @secrets.txt x.y": true,
		"ls -l secrets.txt": false, "echo secrets.txt": false, "test -f secrets.txt": false, "rm secrets.txt": false, "cat a.txt": false, "echo x > secrets.txt": false, "cat secrets.txt.md": false, "stat secrets.txt": false,
	} {
		if got := slices.ContainsFunc(gate.Opened(line), func(w string) bool { return strings.TrimPrefix(w, "./") == "secrets.txt" }); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
