package record

import "nebula"

// A Fault is why a store could not do something: what is kept is not in question, but it cannot be reached or written.
type Fault interface {
	error
	nebula.Speaker
	// Next is the next step for a person; empty where there is none.
	Next() string
}
