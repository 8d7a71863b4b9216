package state

import "testing"

// Claims of files and commits in the words of other languages, and of where something new is used, tested and told of.
func TestClaimsAreHeardInMoreWords(t *testing.T) {
	for said, guilty := range map[string]bool{
		"Added mul to a.py, used in config.yaml, tested in test_a.py, told of in README.md and docs/guide.md.": true,
		"It is used in pkg/b.py, tested in test_a.py, told of in README.md and docs/guide.md":                  true,
		"I added a test in test_new.py": true, "Fixed a.py, created tests/test_h.py": true, "created tests/test_h.py": true, "I added a test for mul in tests/old.py.": true,
		"J'ai corrigé a.py et mis à jour README.md.": true, "mis à jour README.md": true, "Corregí a.py y actualicé README.md": true, "actualicé README.md": true, "Borré tests/old.py.": true,
		"Corregí a.py y hice commit del cambio": true, "hice commit del cambio": true, "已修复并提交到 git": true, "수정하고 커밋했습니다": true, "README.md도 수정했습니다.": true,

		"Added mul to a.py, used in pkg/b.py.": false, "Added mul, used in a.py, tested in pkg/b.py.": false, "I added a test to a.py.": false,
		"It was used in config.yaml before.": false, "Je n'ai pas mis à jour README.md.": false, "No actualicé README.md.": false, "Actualicé a.py.": false, "mis à jour a.py": false,
		"No hice commit del cambio.": false, "请修复并提交到 git": false, "커밋하지 않았습니다": false, "a.py를 수정했습니다.": false, "README.md는 수정하지 않았습니다.": false,
	} {
		if what := did("").Unshown(said); (len(what) > 0) != guilty {
			t.Errorf("%s: %q", said, what)
		}
	}
}
