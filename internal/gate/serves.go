package gate

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// servers are the programs that start a server, each row with what follows them where they do: words parted by |, * for any one word, and
// nothing for whatever follows.
var servers = [...]struct{ programs, words string }{
	{"uvicorn gunicorn hypercorn daphne waitress-serve puma unicorn thin rackup http-server live-server json-server serve webpack-dev-server air nodemon http.server SimpleHTTPServer nginx httpd apache2 redis-server mongod mysqld postgres memcached", ""},
	{"vite", "|dev|serve|preview"}, {"next nuxt nuxi astro remix gatsby wrangler netlify vercel storybook fastapi quarkus tilt skaffold turbo bun react-router vinxi", "dev|develop|start|preview|run dev"},
	{"flask fastapi caddy streamlit chainlit gradio trunk", "run|* run|start|file-server"}, {"python python3 py", "manage.py runserver|app.py|wsgi.py|asgi.py"}, {"manage.py django-admin", "runserver"},
	{"rails", "s|server"}, {"php", "-S|artisan serve"}, {"jekyll mkdocs ng hugo firebase webpack vue-cli-service nx expo ionic bokeh sphinx-autobuild symfony", "serve|server|start|emulators:start|* serve|serve *"},
	{"react-scripts pm2 foreman honcho overmind browser-sync supabase appium", "start"}, {"docker podman", "compose up|compose start|compose * up|compose * start"}, {"docker-compose podman-compose", "up|start|* up|* start"},
	{"gradle gradlew mvn mvnw", "bootRun|spring-boot:run|jetty:run|quarkus:dev|run"}, {"mix", "phx.server"}, {"jupyter", "notebook|lab|server"},
	{"systemctl service brew", "start|restart|* start|* restart|services start|services restart"}, {"pg_ctl pg_ctlcluster", "start|* * start"},
}

// fronts are the programs that run the one that they are given, behind one of some words where they have to be.
var fronts = [...]struct{ programs, words string }{
	{"npx bunx pnpx uvx nodemon cross-env", ""}, {"npm pnpm yarn bun", "exec|x|dlx|run|run-script"}, {"uv poetry pipenv pdm hatch rye", "run"}, {"bundle", "exec"}, {"yarn pnpm", ""}, {"npm", ""},
}

// behind is the program that another one runs with what follows; the same where it runs none.
func behind(name string, words []string) (string, []string) {
	for _, f := range fronts {
		if len(words) == 0 || !lists.Has(strings.Fields(f.programs), name) {
			continue
		}
		if f.words == "" && name != "npm" {
			return spoken(words[0], words[1:])
		}
		if len(words) > 1 && lists.Has(strings.Split(f.words, "|"), words[0]) {
			return spoken(words[1], words[2:])
		}
	}
	return name, words
}

// serves reports whether a call starts a server, as far as its words tell: by its program, or by what the project calls a script or a file.
func serves(name string, words, args []string) bool {
	if slices.ContainsFunc(args, func(a string) bool {
		return lists.Has(strings.Fields("--help -h --version -V -v --check-config --check"), a) || name == "php" && a == "-l"
	}) {
		return false
	}
	if lists.Has(taskRunners, name) || name == "deno" {
		called := words
		if len(words) > 1 && lists.Has([]string{"run", "run-script", "task"}, words[0]) {
			called = words[1:]
		}
		if len(called) > 0 && startsOne.In(called[0]) {
			return true
		}
	}
	for range 2 {
		for _, s := range servers {
			if lists.Has(strings.Fields(s.programs), name) && slices.ContainsFunc(strings.Split(s.words, "|"), func(w string) bool { return s.words == "" || leads(words, strings.Fields(w)) }) {
				return true
			}
		}
		if lists.Has(strings.Fields("node nodejs deno bun tsx ts-node nodemon python python3 ruby php perl"), name) && slices.ContainsFunc(words[:min(2, len(words))], isServer.In) {
			return true
		}
		name, words = behind(name, words)
		name = base(name)
	}
	return false
}

// startsServer reports whether a call of a path, or of a shell's script, starts a server, by its name.
func startsServer(c call) bool {
	return (strings.Contains(c.name, "/") || programs()[base(c.name)].judge == "shell") && slices.ContainsFunc(runs(c), func(file string) bool { return file == "server" || isServer.In(file) })
}

// leads reports whether words begin with others, of which * is any.
//
//go:noinline
func leads(words, first []string) bool {
	if len(first) == 0 || len(words) < len(first) {
		return len(first) == len(words)
	}
	for i, w := range first {
		if w != "*" && w != words[i] {
			return false
		}
	}
	return true
}

var (
	// what a project calls the script, and the file, that starts its server
	startsOne = &lazy.Pattern{X: `(?i)^(?:start|serve|server|dev|develop|runserver|run-server|preview|up)(?:[-_.:](?:dev|prod|server|web|api|app|all|local|watch|client|backend|frontend))*$|^(?:web|api|app|client|backend|frontend|docs)[-_.:](?:start|serve|server|dev)$`}
	isServer  = &lazy.Pattern{X: `(?i)^(?:\S*/)?(?:(?:dev|api|web|http|https|app|mock|main|start|run|express)[-_.]?)?serve(?:r|_app)?\.(?:[cm]?js|[cm]?ts|tsx|py|rb|php|pl)$|^(?:\S*/)?(?:start|run|launch)[-_]?server(?:\.\w+)?$`}
)
