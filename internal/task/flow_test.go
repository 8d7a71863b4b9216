package task_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"nebula"
	spoken "nebula/internal/language"
	"nebula/internal/plan"
	"nebula/internal/tool"
)

// A language is a protocol with the writer that plays a model speaking it.
type language struct {
	nebula.Protocol
	write func(nebula.Intent, []nebula.ToolSpec) nebula.Reply
}

func languages() (list []language) {
	for _, p := range spoken.All() {
		list = append(list, language{p.Protocol, p.Write})
	}
	return list
}

// some are the languages that are the default of some model, or all of them in a long run.
func some() []language {
	all := languages()
	if os.Getenv("NEBULA_LONG") != "" {
		return all
	}
	return []language{all[0], all[1]}
}

// tested runs the tests of the code that came out.
func (o *office) tested() {
	o.t.Helper()
	cmd := exec.Command("go", "test", "-count=1", "./...")
	cmd.Dir = o.dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "ok") {
		o.t.Errorf("%v\n%s", err, out)
	}
}

func act(tool string, args map[string]string) nebula.Intent {
	b, _ := json.Marshal(args) // strings always marshal
	return nebula.Intent{Thoughts: []string{"This is needed."}, Actions: []nebula.Action{{Tool: tool, Args: b, Reason: "needed for the goal"}}}
}

func say(text string) nebula.Intent { return nebula.Intent{Say: text} }

// speaks lets the conversation's model say these things in a language.
func (o *office) speaks(l language, intents ...nebula.Intent) {
	var specs []nebula.ToolSpec
	for _, t := range append(tool.All(nil, tool.Options{}), tool.Plans(nil)...) {
		specs = append(specs, t.Spec())
	}
	o.protocol = l.Protocol
	for _, in := range intents {
		o.script.Replies = append(o.script.Replies, l.write(in, specs))
	}
}

// told submits a message and follows its turn to its end.
func (o *office) told(text string) nebula.Outcome {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), 20*time.Second)
	defer cancel()
	if err := o.chat.Send(ctx, nebula.Submit{Text: text}); err != nil {
		o.t.Fatal(err)
	}
	mine := false
	for e := range o.chat.Events(ctx, 0) {
		switch b := e.Body.(type) {
		case nebula.Submitted:
			mine = mine || b.Text == text
		case nebula.Asked:
			if mine {
				_ = o.chat.Send(ctx, nebula.Answer{By: nebula.Person, Ask: b.Ask, Answer: nebula.Yes})
			}
		case nebula.Ended:
			if mine {
				return b.Outcome
			}
		}
	}
	o.t.Fatal("the turn did not end")
	return nebula.Outcome{}
}

// reported waits for a step's report in the conversation.
func (o *office) reported(step string) nebula.Reported {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), 60*time.Second)
	defer cancel()
	for e := range o.chat.Events(ctx, 0) {
		if b, ok := e.Body.(nebula.Reported); ok && b.Step == step {
			return b
		}
	}
	o.t.Fatalf("there is no report of %s", step)
	return nebula.Reported{}
}

// The thirteen points of Duckflow v4 §7, in every protocol.
func TestFlowFromWishToReport(t *testing.T) {
	for _, l := range languages() {
		t.Run(l.Name(), func(t *testing.T) {
			o := newOffice(t)
			o.speaks(l,
				act("proposePlan", map[string]string{"goal": "ゲームを実装する"}),      // 2
				say("ゲーム実装の計画を提案します。この計画で進めますか?"),                              // 5
				act("generateTasks", map[string]string{"step_id": "step_001"}), // 7
				act("runTasks", map[string]string{"step_id": "step_001"}),      // 10
				say("ステップ1を始めました。"),
				say("ステップ1は完了しています。次に進みますか?"))
			o.answers = func(kind, text string) string {
				switch kind {
				case "plan": // 4
					if !strings.Contains(text, "ゲームを実装する") || !strings.Contains(text, "ゲームを実装して") {
						t.Errorf("planning reads %q", text)
					}
					return `{"name":"ゲーム実装","steps":[{"step_id":"step_001","name":"環境構築","description":"package.json を作る","files":["package.json"],"verify":{"command":"grep game package.json"}},
						{"step_id":"step_002","name":"コア実装","depends_on":["step_001"],"files":["game.js"],"verify":{"person":"it can be played"}}]}`
				case "tasks": // 9
					for _, want := range []string{"ゲームを実装する", "package.json を作る", "はい、お願いします"} {
						if !strings.Contains(text, want) {
							t.Errorf("making tasks reads %q, without %s", text, want)
						}
					}
					return `{"task_list":[{"operation":"file_ops.write","args":{"path":"package.json"},"reason":"環境構築"}]}`
				}
				return ""
			}
			o.says = "環境構築が完了しました。package.json を作成しました。"
			o.agent = func(told string, n int) []nebula.Task { // 12
				if !strings.Contains(told, `- writeFile {"path":"package.json"} 環境構築`) {
					t.Errorf("the agent is not told of the tasks: %s", told)
				}
				if n > 0 {
					return nil
				}
				return []nebula.Task{do("writeFile", "path", "package.json", "content", "{\"name\":\"game\"}\n")}
			}
			o.open()
			if end := o.told("ゲームを実装して"); end.Status != nebula.TurnDone || !strings.Contains(end.Text, "進めますか") { // 1, 5
				t.Fatalf("%s %q %+v", end.Status, end.Text, end.Actions)
			}
			if p := *o.loop.Plan(); p.Status != nebula.Draft || len(p.Steps) != 2 { // 4
				t.Fatalf("%+v", p)
			}
			end := o.told("はい、お願いします") // 6
			if end.Status != nebula.TurnDone || len(end.Actions) != 2 || end.Actions[0].Status != nebula.Done || end.Actions[1].Status != nebula.Done {
				t.Fatalf("%s %+v", end.Status, end.Actions)
			}
			if end.Plan == nil {
				t.Error("the outcome has no plan")
			}
			r := o.reported("step_001") // 12, 13
			if len(r.Report.Facts) == 0 || r.Report.Summary != "" {
				t.Errorf("its report is sentences: %+v", r.Report)
			}
			if r.Report.Status != nebula.Completed || r.Report.Succeeded != 1 || r.Report.Failed != 0 || !strings.Contains(plan.Account(r.Report, "en"), "環境構築が完了") ||
				!strings.Contains(r.Text, "step_002") {
				t.Errorf("%+v", r)
			}
			if o.read("package.json") != "{\"name\":\"game\"}\n" {
				t.Errorf("package.json: %q", o.read("package.json"))
			}
			o.told("どうなった?")
			prompts := o.script.Prompts()
			last := fmt.Sprint(prompts[len(prompts)-1].Messages)
			for _, want := range []string{"環境構築が完了しました", "1 of 2 steps done"} {
				if !strings.Contains(last, want) {
					t.Errorf("the next request does not tell %q", want)
				}
			}
		})
	}
}

// calc is a layered project in which something vague is asked for.
func calc(o *office) {
	o.put("go.mod", "module calc\n\ngo 1.24\n")
	o.put("domain/todo.go", "package domain\n\ntype Todo struct{ Title string }\n")
	o.put("domain/todo_test.go", "package domain\n\nimport \"testing\"\n\nfunc TestTitle(t *testing.T) {\n\tif (Todo{Title: \"x\"}).Title != \"x\" {\n\t\tt.Fail()\n\t}\n}\n")
	o.put("app/app.go", "package app\n\nimport \"calc/domain\"\n\nfunc Titles(l []domain.Todo) (out []string) {\n\tfor _, t := range l {\n\t\tout = append(out, t.Title)\n\t}\n\treturn out\n}\n")
}

func task1(tool string, args map[string]string) string {
	b, _ := json.Marshal(map[string]any{"operation": tool, "args": args, "reason": "for the step"})
	return string(b)
}

func tasks(list ...string) string { return `{"task_list":[` + strings.Join(list, ",") + `]}` }

// A vague wish in a layered project: two steps, each verified by the project's own tests.
func TestVagueWishInALayeredProject(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go")
	}
	for _, l := range some() {
		t.Run(l.Name(), func(t *testing.T) {
			o := newOffice(t)
			calc(o)
			o.wait = true
			o.check = func() bool { return true }
			o.speaks(l, act("proposePlan", map[string]string{"goal": "todos can be important"}), say("Two steps. Shall I?"),
				act("runTasks", map[string]string{}), say("Todos have a priority now, and the tests pass."))
			o.answers = func(kind, text string) string {
				if kind == "plan" {
					return `{"name":"priorities","steps":[{"step_id":"domain","name":"a priority","files":["domain/"],"verify":{"tests":true}},{"step_id":"app","name":"sorting","depends_on":["domain"],"files":["app/"],"verify":"tests"}]}`
				}
				return ""
			}
			o.says = "It went well."
			o.agent = func(told string, n int) []nebula.Task {
				switch {
				case n > 1 || n > 0 && !strings.HasPrefix(told, "### The step\ndomain"):
					return nil
				case strings.HasPrefix(told, "### The step\ndomain") && n == 0:
					return []nebula.Task{do("readFile", "path", "domain/todo.go")}
				case strings.HasPrefix(told, "### The step\ndomain"):
					return []nebula.Task{do("editFile", "path", "domain/todo.go", "new_content", "package domain\n\ntype Todo struct {\n\tTitle    string\n\tPriority int\n}\n")}
				case !strings.Contains(told, "lacks"):
					if !strings.Contains(told, "It went well") || !strings.Contains(told, "domain/todo.go: domain a priority") {
						t.Errorf("the second step does not read what the first came to: %s", told)
					}
					return []nebula.Task{
						do("writeFile", "path", "app/sort.go", "content", "package app\n\nimport (\n\t\"calc/domain\"\n\t\"sort\"\n)\n\nfunc Sorted(l []domain.Todo) []domain.Todo {\n\tsort.SliceStable(l, func(i, j int) bool { return l[i].Priority < l[j].Priority })\n\treturn l\n}\n"),
						do("writeFile", "path", "app/sort_test.go", "content", "package app\n\nimport (\n\t\"calc/domain\"\n\t\"testing\"\n)\n\nfunc TestSorted(t *testing.T) {\n\tgot := Titles(Sorted([]domain.Todo{{Title: \"b\"}, {Title: \"a\", Priority: 2}}))\n\tif got[0] != \"a\" {\n\t\tt.Fatal(got)\n\t}\n}\n")}
				}
				if !strings.Contains(told, "TestSorted") { // the order was wrong: the tests say so
					t.Errorf("the correction does not read the failing test: %s", told)
				}
				patch := do("patchFile")
				patch.Args = []byte(`{"path":"app/sort.go","edits":[{"old":"Priority < l[j]","new":"Priority > l[j]"}],"reason":"most important first"}`)
				return []nebula.Task{patch}
			}
			o.open()
			o.told("I want to see what is important")
			end := o.told("yes, go on")
			p := *o.loop.Plan()
			if end.Status != nebula.TurnDone || stages(p) != "domain completed, app completed" {
				t.Fatalf("%s %s %q", end.Status, stages(p), p.Why)
			}
			for _, s := range p.Steps {
				if s.Evidence == nil || s.Evidence.How != "tests" {
					t.Errorf("%s: %+v", s.ID, s.Evidence)
				}
			}
			if len(end.ChangedFiles) != 3 {
				t.Errorf("changed %v", end.ChangedFiles)
			}
			o.tested()
		})
	}
}

// A small project from nothing, over several exchanges.
func TestProjectFromNothing(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go")
	}
	for _, l := range some() {
		t.Run(l.Name(), func(t *testing.T) {
			o := newOffice(t)
			o.check = func() bool { return !strings.HasPrefix(o.read("go.mod"), "<") }
			o.speaks(l, say("What kind of game?"), act("proposePlan", map[string]string{"goal": "a guessing game"}), say("Shall I begin?"),
				act("runTasks", map[string]string{"step_id": "base"}), say("The base is under way."),
				act("runTasks", map[string]string{"step_id": "game"}), say("Now the game."), say("All is done."))
			o.answers = func(kind, text string) string {
				if kind == "plan" {
					return `{"name":"guess","steps":[{"step_id":"base","name":"module","files":["go.mod"],"verify":{"command":"go list -m"}},{"step_id":"game","name":"the game","depends_on":["base"],"files":["guess.go","guess_test.go"],"verify":{"tests":true}}]}`
				}
				return ""
			}
			o.agent = func(told string, n int) []nebula.Task {
				switch {
				case n > 0:
					return nil
				case strings.HasPrefix(told, "### The step\nbase"):
					return []nebula.Task{do("writeFile", "path", "go.mod", "content", "module guess\n\ngo 1.24\n")}
				}
				return []nebula.Task{do("writeFile", "path", "guess.go", "content", "package guess\n\nfunc Hint(secret, guess int) string {\n\tswitch {\n\tcase guess < secret:\n\t\treturn \"higher\"\n\tcase guess > secret:\n\t\treturn \"lower\"\n\t}\n\treturn \"yes\"\n}\n"),
					do("writeFile", "path", "guess_test.go", "content", "package guess\n\nimport \"testing\"\n\nfunc TestHint(t *testing.T) {\n\tif Hint(5, 3) != \"higher\" || Hint(5, 5) != \"yes\" {\n\t\tt.Fail()\n\t}\n}\n")}
			}
			o.open()
			o.told("make me a game")
			o.told("guessing numbers")
			o.told("yes")
			o.reported("base")
			o.told("go on with the game")
			o.reported("game")
			o.told("and?")
			p := *o.loop.Plan()
			if stages(p) != "base completed, game completed" || p.Status != nebula.Completed || p.Steps[1].Evidence.How != "tests" {
				t.Fatalf("%s %s %q", p.Status, stages(p), p.Why)
			}
			o.tested()
		})
	}
}
