package cli

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/prompt"
	"nebula/internal/protocol"
	"nebula/internal/protocol/dml"
	"nebula/internal/state"
	"nebula/internal/tool"
)

// TestDocuments runs what the design documents ask for and what is easily lost, a script for each requirement.
func TestDocuments(t *testing.T) {
	testscript.Run(t, scripts("documents"))
}

// A demand is a requirement of a document that is easily lost, or something small that was, with what runs it: scripts below testdata, or tests by their
// names. Each of them fails without it.
type demand struct{ document, section, what, shown string }

var demands = []demand{
	{"dml", "1", "macros in the middle of prose", "documents/macros_in_prose"},
	{"dml", "3B", "short names before any file was read", "documents/aliases_at_first examples/short_names"},
	{"dml", "3C", "state macros in a prompt of one's own", "documents/state_macro"},
	{"dml", "3D", "standing instructions in an ordinary session", "documents/instruction_macro"},
	{"dml", "prompt", "the worked example", "documents/worked_example_dml"},
	{"dml", "prompt", "a bare macro acts", "documents/bare_macro"},

	{"v3", "2.2", "what a main call returns, in every protocol", "documents/checks_everywhere documents/context_refs documents/required_fields examples/envelope"},
	{"v3", "2.2", "an audit of everything, steps included", "documents/audit_of_steps"},
	{"v3", "3.1", "successes and failures are kept", "documents/failures_are_experience"},
	{"v3", "3.1", "sessions, their number and the last date", "documents/session_in_the_prompt docs/steering"},
	{"v3", "3.1", "the base layer in every call", "documents/base_in_every_call"},
	{"v3", "3.2", "step, status and task in the main layer", "documents/told_where_it_stands docs/steering"},
	{"v3", "3.2", "the five items in the main layer", "documents/told_where_it_stands"},
	{"v3", "5.1", "five items that are always kept", "documents/five_items TestNotesAreAskedForAnewWhereTheWorkChangesItsKind TestNotesAreAskedForWhereTheConversationWasShortened TestToAskForNotesCostsFewTokens"},
	{"v3", "5.4", "context_refs", "documents/context_refs"},
	{"v3", "5.4", "decision_log, by the program too", "documents/decision_log documents/decisions_on_plans"},
	{"v3", "5.4", "pending_gate", "documents/pending_gate"},
	{"v3", "5.4", "last_delta, by the program", "documents/last_delta"},
	{"v3", "5.5", "the goal is renewed at its time", "documents/goal_renewed"},
	{"v3", "7.1", "goal_consistency has effect", "documents/checks_everywhere"},
	{"v3", "7.1", "constraint_check has effect", "documents/checks_everywhere"},
	{"v3", "7.3", "required fields", "documents/required_fields"},
	{"v3", "8.2", "the first point: intent", "documents/intent_and_alternatives"},
	{"v3", "8.2", "the fourth point: alternatives", "documents/intent_and_alternatives"},
	{"v3", "8.3", "reading what holds secrets", "documents/secrets_ask"},
	{"v3", "8.4", "one yes for a plan", "examples/one_yes"},
	{"v3", "8.4", "an answer is what was said as a whole", "documents/answers_are_whole TestOnlyAClearYesAllows"},
	{"v3", "8.5", "approvals are recorded and counted", "documents/audit_of_steps"},
	{"v3", "9", "one question at a time", "documents/one_question"},
	{"v3", "9", "options only where there are two", "documents/one_question"},
	{"v3", "11", "truncation is visible", "documents/own_template_cut"},
	{"v3", "12", "sizes count beside lines", "documents/large_file"},
	{"v3", "15", "patterns are learned", "documents/failures_are_experience documents/improvements"},
	{"v3", "15", "rates of success and failure", "documents/success_rates"},
	{"v3", "15", "improvements are proposed", "documents/improvements script/insights TestInsightsAreAcceptedWithOneKey"},
	{"v3", "15", "a runner elsewhere", "documents/runner_elsewhere docs/steering"},
	{"v3", "15", "other AI systems", "script/mcp script/agents"},
	{"v3", "15", "what a community shares", "script/commands script/skills docs/steering"},
	{"v3", "15", "plugins", "script/mcp script/hooks script/skills"},

	{"v4", "2", "a list combines any tools", "examples/propose_and_look"},
	{"v4", "5", "the active plan is the one worked on", "documents/active_plan"},
	{"v4", "6.3", "goal, step and conversation in the prompt for tasks", "documents/task_prompt"},
	{"v4", "7.6", "a yes in the conversation", "examples/one_yes examples/game documents/draft_of_another"},
	{"v4", "7.10", "a task list fills the step that is ready", "examples/task_list_fills_step examples/game"},

	{"symops", "6.3", "examples can be left out", "documents/examples_left_out"},
	{"symops", "7.1", "tokens of an action, counted", "TestFiguresOfTheProtocolsAreTheProgramsOwn"},
	{"symops", "7.1", "the promised saving, and what is reached", "TestFiguresOfTheProtocolsAreTheProgramsOwn"},
	{"symops", "7.2", "the stages of reading, measured", "documents/stages TestRepliesMeanWhatAReaderSays"},
	{"symops", "8.2", "raw, repaired and parsed", "documents/debug_view examples/troubles"},

	{"small", "1", "the usage of a plan in JSON", "documents/plan_usage"},
	{"small", "2", "a plan as JSON", "documents/plan_usage script/plan"},
	{"small", "3", "tasks and the policy line by line", "documents/tasks_in_plain TestDirectionsAreWhole TestTasksShowsThePlanThatWaits TestScreensAreTheSameOverAPipe"},
	{"small", "4", "a step that nothing verifies", "documents/step_unverified"},
	{"small", "5", "vitals that warn by their settings", "documents/vitals_by_settings TestVitalsWarnByTheirSettings"},
	{"small", "6", "questions by the policy of the dialog", "documents/one_question"},
	{"small", "7", "results and refusals in Japanese", "script/japanese_results script/japanese_talk"},

	{"nebula", "1.2", "a project to learn from", "TestAStageIsReadInOneGo TestTheLoopGoesOnUntilTheTestsPass"},
	{"nebula", "2.3", "another model for complex work", "documents/complex_model"},
	{"nebula", "6", "limits that each stage makes felt", "TestEachStageSaysItsLimit"},
	{"nebula", "6.4", "documentation of steps, templates, gate and vitals", "TestThePageOnSteeringNamesWhatThereIs"},

	{"worked", "dml prompt", "hello is added to main", "examples/hello"},
	{"worked", "dml 3A", "the table of tools", "examples/tools"},
	{"worked", "v3 5", "the five items and what stands beside them", "examples/items"},
	{"worked", "v3 7.1", "each field of the reply", "examples/envelope"},
	{"worked", "v3 8", "the gate in the conversation", "examples/gate"},
	{"worked", "v3 9", "the rules of dialogue", "examples/dialog"},
	{"worked", "v3 13", "the normal way, and the way back from an error", "examples/flow"},
	{"worked", "v4 7", "the thirteen points from a request to a report", "examples/game"},
	{"worked", "symops 2.2", "a file, its test and the test's run", "examples/auth"},
	{"worked", "symops 6.2", "a loader, and logging", "examples/logging"},
	{"worked", "symops 8.1", "the three troubles", "documents/symops_troubles examples/troubles"},
	{"worked", "nebula 2-4", "five tools, two modes, sessions of a folder, the model", "examples/five_tools"},
}

// toolNames are the names that each document has for tools, and the tools that answer to them.
var toolNames = map[string]map[string]string{
	"dml": {"read_file": "readFile", "write_file": "writeFile", "edit_file": "editFile", "list_files": "list", "create_directory": "createDirectory", "search_code": "searchCode",
		"run_tests": "runTests", "execute_shell": "executeShell"},
	"v3": {"list": "list", "read": "readFile", "write": "writeFile", "create": "writeFile", "delete": "deleteFile", "list_files": "list"},
	"v4": {"plan_tool.propose": "proposePlan", "plan_tool.update_step": "updateStep", "plan_tool.get": "getPlan", "task_tool.generate_list": "generateTasks", "task_loop.run": "runTasks",
		"file_ops.write": "writeFile", "file_ops.write_file": "writeFile", "file_ops.read_file": "readFile", "file_ops.edit_file": "editFile", "file_ops.list_files": "list"},
	"symops": {"create": "writeFile", "edit": "editFile", "delete": "deleteFile", "run": "executeShell", "test": "runTests"},
	"nebula": {"list": "list", "readFile": "readFile", "writeFile": "writeFile", "editFile": "editFile", "searchInDirectory": "searchInDirectory"},
}

// Every tool answers to the names that the documents have for it, and DML teaches its own.
func TestToolsAnswerToTheDocumentsNames(t *testing.T) {
	taught, _ := dml.Protocol{}.Teach(tool.Specs(), "en")
	for document, names := range toolNames {
		for name, want := range names {
			if a := protocol.Resolve(nebula.Action{Tool: name}, tool.Specs()); a.Tool != want {
				t.Errorf("%s has %s for %s; it is %q: %s", document, name, want, a.Tool, a.Problem)
			}
			if document == "dml" && !strings.Contains(taught, name+"|") && !strings.Contains(taught, name+"]") && !strings.Contains(taught, name+"\n") {
				t.Errorf("%s is not taught:\n%s", name, taught)
			}
		}
	}
}

// Every demand is shown by something that there is, and every script of the documents shows one.
func TestDemandsAreShown(t *testing.T) {
	counts := map[string]int{}
	shown := map[string]bool{}
	tests := testNames(t)
	for _, d := range demands {
		counts[d.document]++
		for _, by := range strings.Fields(d.shown) {
			shown[by] = true
			switch folder, _, _ := strings.Cut(by, "/"); folder {
			case "docs":
				for _, end := range []string{".md", ".ja.md"} {
					if _, err := os.Stat(filepath.Join("..", "..", by+end)); err != nil {
						t.Errorf("%s §%s, %s: %v", d.document, d.section, d.what, err)
					}
				}
			case "documents", "examples", "script":
				if _, err := os.Stat(filepath.Join("..", "..", "testdata", by+".txtar")); err != nil {
					t.Errorf("%s §%s, %s: %v", d.document, d.section, d.what, err)
				}
			default:
				if !tests[by] {
					t.Errorf("%s §%s, %s: there is no %s", d.document, d.section, d.what, by)
				}
			}
		}
		if d.shown == "" {
			t.Errorf("%s §%s, %s: nothing shows it", d.document, d.section, d.what)
		}
	}
	if want := map[string]int{"dml": 6, "v3": 33, "v4": 5, "symops": 5, "nebula": 4, "small": 7, "worked": 12}; !maps.Equal(counts, want) {
		t.Errorf("rows: %v, want %v", counts, want)
	}
	for _, folder := range []string{"documents", "examples"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", folder, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, f := range files {
			if name := folder + "/" + strings.TrimSuffix(filepath.Base(f), ".txtar"); !shown[name] {
				t.Errorf("%s shows no demand", name)
			}
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// testNames are the tests of the whole tree.
func testNames(t *testing.T) map[string]bool {
	names := map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range testFunc.FindAllSubmatch(text, -1) {
			names[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// The page on how the work is steered names every step with what may follow, every status, template, vital and policy, in both
// languages, and nothing of them that is not there.
func TestThePageOnSteeringNamesWhatThereIs(t *testing.T) {
	var want []string
	for _, step := range state.Steps {
		row := regexp.QuoteMeta(fmt.Sprintf("`%s`", step)) + ` \|[^|]*\|`
		for _, to := range state.DefaultTable()[step] {
			row += fmt.Sprintf(".*`%s`", to)
		}
		want = append(want, `(?m)^\| `+row+`[^`+"`"+`]*\|$`)
	}
	for _, status := range state.Statuses {
		want = append(want, "`"+string(status)+"`")
	}
	for _, name := range slices.Concat(prompt.Names, dml.InstructionKeys) {
		want = append(want, "`"+name+"`")
	}
	marks := 0
	for s := range config.Settings() {
		switch {
		case s.Name == "approve" || s.Name == "protection":
			for _, c := range s.Choices {
				want = append(want, "`"+c+"`")
			}
		case strings.HasPrefix(s.Name, "vitals."):
			marks++
			want = append(want, "`"+regexp.QuoteMeta(s.Name)+"`[,、] ?"+regexp.QuoteMeta(s.Default)+"[)）]")
		case s.Name == "transitions", s.Name == "examples", s.Name == "budget.base", s.Name == "budget.main", s.Name == "budget.specialized":
			want = append(want, "`"+regexp.QuoteMeta(s.Name)+"`")
		}
	}
	if marks != 4 {
		t.Fatalf("%d vitals", marks)
	}
	for _, page := range []string{"steering.md", "steering.ja.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !regexp.MustCompile(w).Match(text) {
				t.Errorf("docs/%s has nothing like %s", page, w)
			}
		}
	}
}

// The page on the model of work has a row for each field of a reply, in both languages.
func TestThePageOnRepliesNamesEachField(t *testing.T) {
	fields := []string{"rationale", "goal_consistency", "constraint_check", "step", "next_step", "prompt_pattern", "state_delta", "say", "actions"}
	for _, page := range []string{"model-of-work.md", "model-of-work.ja.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			if n := len(regexp.MustCompile("(?m)^\\| `"+f+"` \\|").FindAll(text, -1)); n != 1 {
				t.Errorf("docs/%s has %d rows of %s", page, n, f)
			}
		}
	}
}
