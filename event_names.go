package nebula

// Name implements Body.
func (Started) Name() string { return "started" }

// Name implements Body.
func (Submitted) Name() string { return "submitted" }

// Name implements Body.
func (Requested) Name() string { return "requested" }

// Name implements Body.
func (Streamed) Name() string { return "streamed" }

// Name implements Body.
func (Retried) Name() string { return "retried" }

// Name implements Body.
func (Replied) Name() string { return "replied" }

// Name implements Body.
func (Proposed) Name() string { return "proposed" }

// Name implements Body.
func (Asked) Name() string { return "asked" }

// Name implements Body.
func (Answered) Name() string { return "answered" }

// Name implements Body.
func (Began) Name() string { return "began" }

// Name implements Body.
func (Finished) Name() string { return "finished" }

// Name implements Body.
func (Observed) Name() string { return "observed" }

// Name implements Body.
func (Switched) Name() string { return "switched" }

// Name implements Body.
func (Moved) Name() string { return "moved" }

// Name implements Body.
func (Updated) Name() string { return "updated" }

// Name implements Body.
func (Compacted) Name() string { return "compacted" }

// Name implements Body.
func (Superseded) Name() string { return "superseded" }

// Name implements Body.
func (Undone) Name() string { return "undone" }

// Name implements Body.
func (Planned) Name() string { return "planned" }

// Name implements Body.
func (Stepped) Name() string { return "stepped" }

// Name implements Body.
func (Tasked) Name() string { return "tasked" }

// Name implements Body.
func (Queued) Name() string { return "queued" }

// Name implements Body.
func (Reported) Name() string { return "reported" }

// Name implements Body.
func (Noted) Name() string { return "noted" }

// Name implements Body.
func (Hooked) Name() string { return "hooked" }

// Name implements Body.
func (Ended) Name() string { return "ended" }

// Name implements Body.
func (Closed) Name() string { return "closed" }
