package temporal

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"nebula/internal/fleet"
)

// historyKey is the key that the histories in testdata were written with.
const historyKey = "the key of stored histories"

// histories are what real runs left: NEBULA_HISTORIES=1 go test ./internal/cli -run TestPlansOnWorkers writes them anew.
var histories = []string{"dependencies", "retried", "answered", "many", "conflict", "cancelled"}

// quiet leaves what is wrong to the error.
var quiet = sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler))

func replayer(t *testing.T) worker.WorkflowReplayer {
	t.Helper()
	c, err := newCodec(historyKey)
	if err != nil {
		t.Fatal(err)
	}
	data := converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), c)
	r, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{DataConverter: data,
		FailureConverter: temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: data, EncodeCommonAttributes: true})})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// replayed is what replaying a stored history under an id comes to, under its own where none is given.
func replayed(t *testing.T, r worker.WorkflowReplayer, name, id string) error {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, err := client.HistoryFromJSON(f, client.HistoryJSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if id == "" {
		id = h.Events[0].GetWorkflowExecutionStartedEventAttributes().WorkflowId
	}
	return r.ReplayWorkflowHistoryWithOptions(quiet, h, worker.ReplayWorkflowHistoryOptions{OriginalExecution: workflow.Execution{ID: id}})
}

// TestStoredHistoriesReplay: what began under the code of another day goes on under this one, and comes to the same.
func TestStoredHistoriesReplay(t *testing.T) {
	for _, name := range histories {
		t.Run(name, func(t *testing.T) {
			r := replayer(t)
			register(r)
			if err := replayed(t, r, name, ""); err != nil {
				t.Errorf("%v\n(the package's comment says how a workflow changes)", err)
			}
			if err := replayed(t, r, name, "plan_made_up"); err == nil {
				t.Error("what was said to one workflow is believed by another")
			}
		})
	}
}

// TestAnotherOrderDoesNotReplay: a workflow that does the same in another order is found out.
func TestAnotherOrderDoesNotReplay(t *testing.T) {
	for _, name := range histories {
		r := replayer(t)
		r.RegisterWorkflowWithOptions(func(ctx workflow.Context, o fleet.Order) (fleet.State, error) {
			if err := workflow.ExecuteActivity(brief(ctx), noteName, fleet.Note{Order: o}).Get(ctx, nil); err != nil {
				return fleet.State{}, err
			}
			return conduct(ctx, o) // which begins, and notes then
		}, workflow.RegisterOptions{Name: planName})
		r.RegisterWorkflowWithOptions(func(ctx workflow.Context, m fleet.Many) (fleet.ManyState, error) {
			m.Orders = append(m.Orders[1:], m.Orders[0])
			return conductMany(ctx, m)
		}, workflow.RegisterOptions{Name: manyName})
		err := replayed(t, r, name, "")
		if err == nil || !strings.Contains(err.Error(), "TMPRL1100") {
			t.Errorf("%s replays in another order: %v", name, err)
		}
	}
}
