package state_test

import (
	"strings"
	"testing"

	"nebula"
)

// Words that say whose a file is, or that it is left out, hold it; those that ask about it, or speak of something else, hold nothing.
func TestWhatIsSomebodyElsesIsHeld(t *testing.T) {
	for said, held := range map[string]bool{
		"keep.txt belongs to the other team.": true, "Tidy up; keep.txt belongs to another team.": true, "keep.txt is owned by the platform team": true, "keep.txt is out of scope.": true, "keep.txt is outside the scope": true, "keep.txt is not in scope": true, "keep.txt is not part of this task.": true,
		"keep.txtは除外": true, "keep.txtは除外してください。": true, "keep.txtは対象外です": true, "keep.txtはそっとしておいて": true, "keep.txtには手を出さないで": true, "keep.txtは他チームのものです": true, "keep.txtは別のチームの担当です": true, "keep.txtは現状維持": true, "keep.txtは現状維持で": true, "keep.txtは範囲外": true,
		"leave keep.txt as it is": true, "Leave keep.txt as is": true, "keep.txt is frozen": true, "keep.txt is frozen for the release": true, "keep.txt stays as is": true, "keep.txt stays the way it is": true, "keep.txt is somebody else's": true, "keep.txt is none of your business": true, "keep.txt isn't yours": true,
		"Is keep.txt out of scope?": false, "The change is out of scope of the test; fix keep.txt": false, "keep.txt belongs to the package a": false, "The cat keep.txt belongs to is here": false, "x is out of scope in keep.txt": false, "keep.txt is out of scope no longer": false,
		"keep.txtは除外されますか？": false, "keep.txtを除外リストから外して": false, "keep.txt fails because a is out of scope": false, "Check whether keep.txt is out of scope": false, "keep.txtの現状を教えて": false, "If keep.txt belongs to the other team, say so": false,
	} {
		s := after(said, "Go on.")
		if got := s.Barred(nebula.Target{Path: "keep.txt", Kind: "edit"}); (got != "") != held {
			t.Errorf("%s: %q", strings.TrimSpace(said), got)
		}
		if got := s.Barred(nebula.Target{Path: "a.txt", Kind: "edit"}); got != "" {
			t.Errorf("%s: a.txt is held", said)
		}
	}
}
