package nebula

import "slices"

// An Effort is how much a model is to think before it answers. The empty one leaves it to the provider.
type Effort string

// The efforts, from the least to the most.
const (
	EffortOff    Effort = "off"
	EffortLow    Effort = "low"
	EffortMedium Effort = "medium"
	EffortHigh   Effort = "high"
	EffortMax    Effort = "max"
)

// EffortSet is no effort: it turns a session back to what the settings say.
const EffortSet Effort = "auto"

// Efforts lists them in their order.
func Efforts() []Effort {
	return []Effort{EffortOff, EffortLow, EffortMedium, EffortHigh, EffortMax}
}

// More is the next effort; the most stays as it is, and so does what is left to the provider.
//
//go:noinline
func (e Effort) More() Effort {
	all := Efforts()
	if i := slices.Index(all, e); i >= 0 && i+1 < len(all) {
		return all[i+1]
	}
	return e
}
