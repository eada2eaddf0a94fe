package result

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// allocsRecord is the record of a case with a timed fork, and one for each of the counts. Those that are nil attach
// something else.
func allocsRecord(t *testing.T, counts ...*record.Allocs) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(lines(t, "run\ncase 1 Build\ns 1 m 5\nfork 1 case=1 ok"))
	w := record.NewWriter(&b)
	for i, a := range counts {
		data := []byte("no JSON")
		if a != nil {
			var err error
			data, err = json.Marshal(a)
			must(t, err)
		}
		must(t, w.Write(&record.Attach{Fork: 2 + i, Name: record.AttachAllocs, Media: "application/json", Data: data}))
		must(t, w.Write(&record.Fork{ID: 2 + i, Case: 1, Round: 1 + i, Purpose: "alloc", State: record.StateOK}))
	}
	return b.String()
}

func countedAt(ops, objects, size int64) *record.Allocs {
	n := record.AllocCount{Objects: objects, Bytes: objects * size}
	return &record.Allocs{Windows: 2, Ops: ops, Objects: n.Objects, Bytes: n.Bytes, Sites: []record.AllocSite{{Func: "p.f", File: "f.go", Line: 3, Type: "T", Size: size, AllocCount: n}}}
}

// TestAllocs: what forks attached is in the result and its JSON.
func TestAllocs(t *testing.T) {
	s, err := Read(strings.NewReader(allocsRecord(t, countedAt(10, 20, 16), countedAt(10, 30, 16), countedAt(100, 1000, 16))), "test")
	must(t, err)
	a := s.Results[0].Allocs
	if a == nil || a.Forks != 3 || a.Objects != 3 || a.Sites[0].Lo.Objects != 2 || a.Sites[0].Hi.Objects != 10 {
		t.Fatalf("%+v", a)
	}
	js, err := json.Marshal(s.Results[0])
	must(t, err)
	const want = `"allocs":{"forks":3,"windows":2,"ops":10,"objects/op":3,"bytes/op":48,"sites":[{"func":"p.f","file":"f.go","line":3,"type":"T","size":16,"objects/op":3,"bytes/op":48,"lo":`
	if !strings.Contains(string(js), want) {
		t.Errorf("no %s in %s", want, js)
	}
}

// TestAllocsDamaged: what cannot be read is a warning, and the other forks count.
func TestAllocsDamaged(t *testing.T) {
	sum := countedAt(10, 20, 16)
	sum.Objects++
	for name, bad := range map[string]*record.Allocs{
		"no JSON": nil, "no operations": countedAt(0, 1, 1), "sum": sum, "huge": countedAt(1, math.MaxInt64, 1), "size": countedAt(1, 1, -1),
	} {
		s, err := Read(strings.NewReader(allocsRecord(t, countedAt(10, 20, 16), bad)), "test")
		must(t, err)
		r := s.Results[0]
		if r.Allocs == nil || r.Allocs.Forks != 1 {
			t.Errorf("%s: %+v", name, r.Allocs)
		}
		if !slices.ContainsFunc(r.Warnings, func(w Warning) bool {
			return w.Code == diagnosis.DamagedAttached && strings.Contains(w.Text, `"allocs"`)
		}) {
			t.Errorf("%s: warnings %+v", name, r.Warnings)
		}
	}
}
