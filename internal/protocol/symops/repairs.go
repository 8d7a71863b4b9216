package symops

import "nebula"

// inferring reports whether a repair guesses what was meant, so that the action must be asked for.
func inferring(name string) bool {
	return repairs[name].strategy == nebula.Inferred || repairs[name].strategy == nebula.Extracted
}

// A rule is what a repair says of the reading: the strategy it belongs to and how much surer one would be without it.
type rule struct {
	strategy nebula.Strategy
	doubt    float64
}

// repairs are all repairs by their stable names.
var repairs = map[string]rule{}

// grade sets strategy and confidence.
func grade(d *Document) {
	d.Strategy, d.Confidence = nebula.Strict, 1
	if len(d.Repairs) > 0 {
		d.Strategy, d.Confidence = nebula.Repaired, 0.95
	}
	for i := range d.Actions {
		d.Actions[i].Confidence = 0.95
	}
}
