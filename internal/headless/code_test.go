package headless

import (
	"testing"

	"nebula"
)

// What was done and not checked is done, for a script: the object says which.
func TestExitCodes(t *testing.T) {
	for status, want := range map[nebula.EndStatus]int{
		nebula.TurnDone: 0, nebula.TurnUnchecked: 0, nebula.TurnFailed: 1, nebula.NeedsApproval: 3, nebula.NeedsInput: 3, nebula.APIFailed: 4, nebula.LimitReached: 6, nebula.Cancelled: 130,
	} {
		if got := Code(status); got != want {
			t.Errorf("%s: %d, not %d", status, got, want)
		}
	}
}
