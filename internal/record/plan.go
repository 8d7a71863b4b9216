package record

import (
	"encoding/json"
	"errors"
	"sync"

	"nebula"
)

// PlanHead is a plan without its steps as it is stored: each step has a place of its own, so that a task that ended costs
// no more in a large plan than in a small one.
func PlanHead(p nebula.Plan) (string, error) {
	p.Steps = nil
	data, err := JSON(p)
	if err != nil {
		err = nebula.Errorf("plan %s: %w", p.ID, err)
	}
	return data, err
}

// ReadPlan reads what [PlanHead] gave, and its steps as [JSON] gave them. The id is for errors.
func ReadPlan(id, head string, steps []string) (p nebula.Plan, err error) {
	if err := json.Unmarshal([]byte(head), &p); err != nil {
		return p, nebula.Errorf("plan %s: %w", id, err)
	}
	p.Steps, err = readSteps(steps)
	if err != nil {
		return p, nebula.Errorf("plan %s: %w", p.ID, err)
	}
	return p, nil
}

// readers is how many goroutines decode the steps of a large plan.
const readers = 4

func readSteps(texts []string) ([]nebula.PlanStep, error) {
	steps := make([]nebula.PlanStep, len(texts))
	read := func(from, to int) error {
		d := NewDecoder()
		for i := from; i < to; i++ {
			if err := d.Step(texts[i], &steps[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if len(texts) < 64 {
		return steps, read(0, len(texts))
	}
	var wg sync.WaitGroup
	errs := make([]error, readers)
	for n := range readers {
		wg.Go(func() { errs[n] = read(n*len(texts)/readers, (n+1)*len(texts)/readers) })
	}
	wg.Wait()
	return steps, errors.Join(errs...)
}
