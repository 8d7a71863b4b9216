// Package temporal drives plans of a fleet on Temporal: workflows that decide, activities that have [fleet.Hands] do what was
// decided, and a client for people. nebula-fleet alone links it.
//
// Workflows are carried out again from their histories, by workers of any later version: the same activities, children and
// waits have to come in the same order. A change of that asks workflow.GetVersion which of both holds,
//
//	if workflow.GetVersion(ctx, "note-first", workflow.DefaultVersion, 1) == workflow.DefaultVersion {
//		// as it was: what is under way goes on so
//	} else {
//		// as it is from now on
//	}
//
// and the old branch stays until nothing of it is under way. Where what travels changes so that older workers cannot read it,
// [fleet.Format] counts up instead. The histories in testdata are replayed by a test; those of new code are added to them.
package temporal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/converter"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"nebula"
	"nebula/internal/fleet"
	"nebula/internal/telemetry"
)

// Options are how the engine is reached.
type Options struct {
	Env func(name string) string // TEMPORAL_ADDRESS and its like, as Temporal's own programs read them
	Key string                   // that histories are encrypted with
	Log *slog.Logger             // what goes wrong between here and the server; may be nil
	// Told is where operators are told of what is done.
	Told *telemetry.Telemetry
}

type engine struct {
	client    client.Client
	told      *telemetry.Telemetry
	namespace string
	codec     codec
	key       string // the name of it
}

// Dial reaches the server. Address, namespace, certificates and key come from the environment or Temporal's own settings.
func Dial(ctx context.Context, o Options) (fleet.Engine, error) {
	c, err := newCodec(o.Key)
	if err != nil {
		return nil, err
	}
	options, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{EnvLookup: lookup(o.Env)})
	if err != nil {
		return nil, nebula.Errorf("Temporal's settings: %w", err)
	}
	options.DataConverter = converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), c)
	options.FailureConverter = temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: options.DataConverter, EncodeCommonAttributes: true})
	if options.Logger = sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)); o.Log != nil {
		options.Logger = sdklog.NewStructuredLogger(o.Log)
	}
	if err := tell(&options, o.Told); err != nil {
		return nil, err
	}
	within, done := context.WithTimeout(ctx, 10*time.Second)
	defer done()
	dialled, err := client.DialContext(within, options)
	if err != nil {
		where := options.HostPort
		if where == "" {
			where = client.DefaultHostPort
		}
		return nil, nebula.Errorf("Temporal at %s is not reached: %w; nebula fleet up starts one for a trial, TEMPORAL_ADDRESS names another", where, err)
	}
	namespace := options.Namespace
	if namespace == "" {
		namespace = client.DefaultNamespace
	}
	return &engine{dialled, o.Told, namespace, c, c.name}, nil
}

// lookup is the environment as it was given: secrets are in no other.
type lookup func(name string) string

// LookupEnv implements envconfig.EnvLookup.
func (l lookup) LookupEnv(name string) (string, bool) { v := l(name); return v, v != "" }

// Environ implements envconfig.EnvLookup.
func (l lookup) Environ() (list []string) {
	for _, name := range []string{"ADDRESS", "NAMESPACE", "API_KEY", "PROFILE", "CONFIG_FILE", "TLS", "TLS_CLIENT_CERT_PATH", "TLS_CLIENT_KEY_PATH", "TLS_SERVER_CA_CERT_PATH", "TLS_SERVER_NAME", "TLS_DISABLE_HOST_VERIFICATION"} {
		if v, ok := l.LookupEnv("TEMPORAL_" + name); ok {
			list = append(list, "TEMPORAL_"+name+"="+v)
		}
	}
	return list
}

// Close implements fleet.Engine.
func (e *engine) Close() {
	e.client.Close()
	e.told.Close()
}

// queueOf is the task queue of workflows: workers of another format, and those who have another key, take from another, so that
// nobody is given what he cannot read.
func (e *engine) queueOf(queue string) string {
	return fmt.Sprintf("%s/v%d.%s", queue, fleet.Format, e.key)
}

// partOf is the task queue of some of the activities of such a queue.
func partOf(queue, part string) string { return queue + "/" + part }

// named is the queue that was named by a person, and the key that goes with it.
func named(queue string) (name, key string) {
	i := strings.LastIndex(queue, "/v")
	if i < 0 {
		return queue, ""
	}
	_, key, _ = strings.Cut(queue[i:], ".")
	return queue[:i], key
}

// Work implements fleet.Engine: workflows, the steps of the whole queue, and those that go on where they began.
func (e *engine) Work(ctx context.Context, s fleet.Shift) error {
	fatal := make(chan error, 4)
	wrong := func(err error) { fatal <- err }
	hands := hands{s.Hands, e.told}
	var running []worker.Worker
	for part, o := range map[string]worker.Options{
		"":           {MaxConcurrentActivityExecutionSize: max(4, s.Slots)},
		"steps":      {MaxConcurrentActivityExecutionSize: s.Slots, TaskQueueActivitiesPerSecond: s.Rate, DisableWorkflowWorker: true},
		s.Hands.Host: {MaxConcurrentActivityExecutionSize: s.Slots, DisableWorkflowWorker: true},
	} {
		o.OnFatalError, o.WorkerStopTimeout = wrong, 20*time.Second
		o.MaxHeartbeatThrottleInterval, o.DefaultHeartbeatThrottleInterval = heartbeat, heartbeat
		queue := e.queueOf(s.Queue)
		if part != "" {
			queue = partOf(queue, part)
		}
		w := worker.New(e.client, queue, o)
		if part == "" {
			register(w)
		}
		hands.register(w)
		if err := w.Start(); err != nil {
			return nebula.Errorf("queue %s: %w", s.Queue, err)
		}
		running = append(running, w)
	}
	if s.Listen != "" {
		ctx, done := context.WithCancel(ctx)
		var answers sync.WaitGroup
		answers.Go(func() {
			if err := e.told.Serve(ctx, s.Listen, e.healthy(s), s.Listens); err != nil {
				wrong(err)
			}
		})
		defer answers.Wait()
		defer done()
	}
	if s.Ready != nil {
		s.Ready()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-fatal:
	}
	var all sync.WaitGroup
	for _, w := range running {
		all.Go(w.Stop)
	}
	all.Wait()
	return err
}

// registry is a worker, or a replayer.
type registry interface {
	RegisterWorkflowWithOptions(w any, options workflow.RegisterOptions)
}

func register(r registry) {
	r.RegisterWorkflowWithOptions(conduct, workflow.RegisterOptions{Name: planName})
	r.RegisterWorkflowWithOptions(conductMany, workflow.RegisterOptions{Name: manyName})
}

// Start implements fleet.Engine.
func (e *engine) Start(ctx context.Context, o fleet.Order) (string, error) {
	return e.start(ctx, "plan_"+o.Run, o.Queue, planName, o)
}

// StartMany implements fleet.Engine.
func (e *engine) StartMany(ctx context.Context, m fleet.Many) (string, error) {
	return e.start(ctx, fleet.ManyPrefix+m.Run, m.Queue, manyName, m)
}

func (e *engine) start(ctx context.Context, id, queue, name string, in any) (string, error) {
	_, err := e.client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: id, TaskQueue: e.queueOf(queue),
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL, WorkflowExecutionErrorWhenAlreadyStarted: true}, name, in)
	if _, ok := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); ok {
		return "", nebula.Errorf("%s is under way already; nebula fleet show %s tells how it stands", id, id)
	}
	return id, err
}

// Say implements fleet.Engine.
func (e *engine) Say(ctx context.Context, id string, w fleet.Word) error {
	if _, err := e.found(ctx, id); err != nil {
		return err
	}
	return unknown(id, e.client.SignalWorkflow(ctx, id, "", wordSignal, w))
}

func unknown(id string, err error) error {
	if _, ok := errors.AsType[*serviceerror.NotFound](err); ok {
		return nebula.Errorf("nothing under way is called %s; nebula fleet list tells what is", id)
	}
	return err
}

// State implements fleet.Engine.
func (e *engine) State(ctx context.Context, id string) (s fleet.State, err error) {
	return s, e.state(ctx, id, &s)
}

// StateMany implements fleet.Engine.
func (e *engine) StateMany(ctx context.Context, id string) (s fleet.ManyState, err error) {
	return s, e.state(ctx, id, &s)
}

// state is what a workflow came to, or what it says of itself: for that a worker has to be there.
func (e *engine) state(ctx context.Context, id string, into any) error {
	info, err := e.found(ctx, id)
	if err != nil {
		return err
	}
	switch info.WorkflowExecutionInfo.Status {
	case enums.WORKFLOW_EXECUTION_STATUS_COMPLETED:
		return e.client.GetWorkflow(ctx, id, "").Get(ctx, into)
	case enums.WORKFLOW_EXECUTION_STATUS_RUNNING, enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
	default:
		return nebula.Errorf("%s ended without a result (%s)", id, strings.ToLower(info.WorkflowExecutionInfo.Status.String()))
	}
	within, done := context.WithTimeout(ctx, 10*time.Second)
	defer done()
	v, err := e.client.QueryWorkflow(within, id, "", stateQuery)
	if err != nil {
		queue := info.WorkflowExecutionInfo.TaskQueue
		if n, _ := e.pollers(ctx, queue); n == 0 {
			return fleet.Silent{ID: id, Queue: first(named(queue))}
		}
		if gone(err) || within.Err() != nil {
			return fleet.Silent{ID: id, Err: err}
		}
		return err
	}
	return v.Get(into)
}

func first(name, _ string) string { return name }

// found is what the server knows of a workflow that was handed over with the key that is here.
func (e *engine) found(ctx context.Context, id string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	info, err := e.client.DescribeWorkflowExecution(ctx, id, "")
	if gone(err) {
		return nil, fleet.Silent{ID: id, Err: err}
	}
	if err != nil {
		return nil, unknown(id, err)
	}
	if _, key := named(info.WorkflowExecutionInfo.TaskQueue); key != e.key {
		return nil, otherKey(key, e.key)
	}
	return info, nil
}

// gone says of an error that the server, or a worker, does not answer just now.
func gone(err error) bool {
	_, away := errors.AsType[*serviceerror.Unavailable](err)
	_, late := errors.AsType[*serviceerror.DeadlineExceeded](err)
	return away || late
}

// Carrier implements fleet.Engine: it reads what each that is under way was handed over with, for which no worker has to be there.
func (e *engine) Carrier(ctx context.Context, plan, project string) (string, error) {
	for page := []byte(nil); ; {
		r, err := e.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Namespace: e.namespace, PageSize: mostListed, NextPageToken: page,
			Query: fmt.Sprintf("WorkflowType = '%s' AND ExecutionStatus = 'Running'", planName)})
		if err != nil {
			return "", err
		}
		for _, x := range r.Executions {
			if _, key := named(x.TaskQueue); key != e.key {
				continue
			}
			if o, err := e.order(ctx, x.Execution.WorkflowId, x.Execution.RunId); err != nil {
				return "", err
			} else if o.Plan == plan && o.Project == project {
				return x.Execution.WorkflowId, nil
			}
		}
		if page = r.NextPageToken; len(page) == 0 {
			return "", nil
		}
	}
}

// order is what a plan was handed over with.
func (e *engine) order(ctx context.Context, id, run string) (o fleet.Order, err error) {
	first, err := e.client.GetWorkflowHistory(ctx, id, run, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT).Next()
	if err != nil {
		return o, err
	}
	at := converter.WorkflowSerializationContext{Namespace: e.namespace, WorkflowID: id}
	list, err := e.codec.WithSerializationContext(at).Decode(first.GetWorkflowExecutionStartedEventAttributes().GetInput().GetPayloads())
	if err != nil || len(list) == 0 {
		return o, err
	}
	return o, converter.GetDefaultDataConverter().FromPayload(list[0], &o)
}

// Workers implements fleet.Engine.
func (e *engine) Workers(ctx context.Context, queue string) (int, error) {
	return e.pollers(ctx, e.queueOf(queue))
}

func (e *engine) pollers(ctx context.Context, queue string) (int, error) {
	r, err := e.client.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{Namespace: e.namespace,
		TaskQueue: &taskqueuepb.TaskQueue{Name: queue}, TaskQueueType: enums.TASK_QUEUE_TYPE_WORKFLOW})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, p := range r.Pollers {
		if time.Since(p.LastAccessTime.AsTime()) < 90*time.Second {
			n++
		}
	}
	return n, nil
}

// mostListed bounds a list.
const mostListed = 200

// List implements fleet.Engine: those of the last days, the newest first, without the plans of larger requests.
func (e *engine) List(ctx context.Context) (list []fleet.Info, err error) {
	r, err := e.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Namespace: e.namespace, PageSize: mostListed,
		Query: fmt.Sprintf("WorkflowType IN ('%s', '%s')", planName, manyName)})
	if err != nil {
		return nil, err
	}
	for _, x := range r.Executions {
		if x.ParentExecution != nil || x.Status == enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW {
			continue
		}
		id := x.Execution.WorkflowId
		status := string(nebula.InProgress)
		if x.Status != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
			status = "ended"
		}
		list = append(list, fleet.Info{ID: id, Many: strings.HasPrefix(id, fleet.ManyPrefix), Status: status, Began: x.StartTime.AsTime().UnixNano()})
	}
	return list, nil
}
