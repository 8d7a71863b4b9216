package gate

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// migrators are the programs that bring a database to another schema, with the words that follow where they do, as those of [servers].
var migrators = [...]struct{ programs, words string }{
	{"alembic", "upgrade|downgrade|stamp"}, {"migrate dbmate goose sql-migrate tern pgroll", "up|down|goto|force|migrate|rollback|reset|redo|drop|start|complete|* up|* * up|* * * up|* down|* * down|* * * down"},
	{"flyway liquibase", "migrate|update|rollback|undo|clean|repair"}, {"rails rake", "db:migrate|db:rollback|db:setup|db:reset|db:schema:load|db:prepare|db:migrate:up|db:migrate:down|db:migrate:redo"},
	{"manage.py django-admin", "migrate"}, {"python python3 py", "manage.py migrate"}, {"flask", "db upgrade|db downgrade|db stamp"}, {"prisma", "migrate deploy|migrate dev|migrate reset|db push"},
	{"knex", "migrate:latest|migrate:up|migrate:down|migrate:rollback"}, {"sequelize sequelize-cli", "db:migrate|db:migrate:undo"}, {"typeorm", "migration:run|migration:revert|schema:sync"}, {"drizzle-kit", "migrate|push"},
	{"mikro-orm", "migration:up|migration:down"}, {"php artisan", "artisan migrate|migrate|artisan migrate:fresh|artisan migrate:rollback"}, {"doctrine", "migrations:migrate"}, {"mix", "ecto.migrate|ecto.rollback|ecto.setup|ecto.reset"},
	{"diesel sqlx sea-orm-cli", "migration run|migration revert|migration redo|migrate run|migrate revert|migrate up|migrate down|database setup|database reset"}, {"atlas", "migrate apply|schema apply"}, {"dotnet", "ef database update"}, {"supabase", "db push|migration up|db reset"},
}

// migrates reports whether a call brings a database to another schema, as far as its words tell: by its program, or by what the project calls
// a script that does.
func migrates(c call, name string, words, args []string) bool {
	if slices.ContainsFunc(args, func(a string) bool {
		return lists.Has(strings.Fields("--help -h --version --sql --plan --check"), a)
	}) {
		return false
	}
	if slices.ContainsFunc(runs(c), migration.In) || lists.Has(taskRunners, name) && slices.ContainsFunc(words, migration.In) {
		return true
	}
	for range 2 {
		for _, m := range migrators {
			if lists.Has(strings.Fields(m.programs), name) && slices.ContainsFunc(strings.Split(m.words, "|"), func(w string) bool { return leads(words, strings.Fields(w)) }) {
				return true
			}
		}
		name, words = behind(name, words)
		name = base(name)
	}
	return false
}

// migration tells by its name a script that migrates.
var migration = &lazy.Pattern{X: `(?i)^(?:(?:run|apply|do|db|database|sql|schema)[-_.:])*migrat(?:e|ions?)(?:[-_.:](?:up|latest|deploy|run|all|db|prod|dev|apply))*(?:\.(?:sh|py|js|mjs|cjs|ts|rb|php|pl))?$`}
