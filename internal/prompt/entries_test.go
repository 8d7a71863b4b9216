package prompt

import (
	"strings"
	"testing"
)

func TestNamesThatDifferInANumberAreToldAsOne(t *testing.T) {
	for names, want := range map[string]string{
		"README.md a1.go a2.go a3.go": "README.md a1.go a2.go a3.go",
		"a01.go a01_test.go a02.go a02_test.go a03.go a03_test.go a10.go a10_test.go z": "a01.go…a10.go a01_test.go…a10_test.go z",
		"stage1/ stage2/ stage3/ stage4/ stage5.md":                                     "stage1/…stage4/ stage5.md",
	} {
		if got := strings.Join(ranged(strings.Fields(names)), " "); got != want {
			t.Errorf("%s: %s", names, got)
		}
	}
}
