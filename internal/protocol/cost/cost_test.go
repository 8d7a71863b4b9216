package cost_test

import (
	"testing"

	"nebula"
	"nebula/internal/model/token"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/protocol/cost"
	"nebula/internal/protocol/dml"
	"nebula/internal/protocol/symops"
	"nebula/internal/protocol/toolcall"
)

func writers() []cost.Writer {
	return []cost.Writer{{"toolcall", toolcall.Write}, {"actionlist", actionlist.Write}, {"symops", symops.Write}, {"dml", dml.Write}}
}

// TestPlainBlocksCostLessThanJSON is also where the published tables come from: go test -v.
func TestPlainBlocksCostLessThanJSON(t *testing.T) {
	for _, reasons := range []bool{false, true} {
		table := cost.Compare(writers(), cost.Sets(), nebulatest.Specs(), reasons, token.Count)
		t.Logf("with reasons: %v; contents alone: %v\n%s", reasons, table.Contents, table.Markdown())
		sum := map[string]int{}
		for _, r := range table.Rows {
			for i, n := range r.Tokens {
				if n < table.Contents[i] {
					t.Errorf("%s, %s: %d tokens, fewer than the contents' %d", r.Protocol, table.Sets[i], n, table.Contents[i])
				}
				sum[r.Protocol] += n
			}
		}
		if sum["symops"] >= sum["toolcall"] || sum["toolcall"] >= sum["actionlist"] {
			t.Errorf("the order is another: %v", sum)
		}
	}
}

// TestTeachingIsShort holds the teaching texts, without any tool, to what they cost today.
func TestTeachingIsShort(t *testing.T) {
	for _, c := range []struct {
		p      nebula.Protocol
		en, ja int
	}{{toolcall.Protocol{}, 0, 0}, {actionlist.Protocol{}, 190, 230}, {dml.Protocol{}, 370, 440}} {
		en, _ := c.p.Teach(nil, "en")
		ja, _ := c.p.Teach(nil, "ja")
		nEN, nJA := token.Count(en), token.Count(ja)
		t.Logf("%s: %d en, %d ja", c.p.Name(), nEN, nJA)
		if nEN > c.en || nJA > c.ja {
			t.Errorf("%s: %d and %d tokens, more than %d and %d", c.p.Name(), nEN, nJA, c.en, c.ja)
		}
	}
}

// TestAliasesPayForLongPathsOnly measures what a reference costs beside the path it stands for.
func TestAliasesPayForLongPathsOnly(t *testing.T) {
	var a protocol.Aliases
	for _, c := range []struct {
		path  string
		saves bool
	}{
		{"main.go", false}, {"src/main.py", false}, {"src/services/user_service.py", false},
		{"packages/frontend/src/components/settings/ProfileSettingsPanel.test.tsx", true},
		{"src/main/java/com/example/billing/domain/invoice/InvoiceRepository.java", true},
	} {
		path, reference := token.Count(c.path), token.Count("{{F:"+a.Add(c.path)+"}}")
		file := nebula.NamedFile{Name: a.Name(c.path), Path: c.path}
		listed := token.Count("- {{F:" + file.Name + "}} = " + file.Path + "\n")
		macro := token.Count(dml.Protocol{}.Describe(nebula.Surroundings{Files: []nebula.NamedFile{file}}))
		t.Logf("%s: %d tokens, as reference %d; each request lists it for %d, in DML for %d", c.path, path, reference, listed, macro)
		if (reference < path) != c.saves {
			t.Errorf("%s costs %d tokens, its reference %d", c.path, path, reference)
		}
	}
}
