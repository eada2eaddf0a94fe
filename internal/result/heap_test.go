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

// heapRecord is the record of a case with a timed fork, and one for each heap. Those
// that are nil attach something else.
func heapRecord(t *testing.T, heaps ...*record.Heap) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(lines(t, "run\ncase 1 Build\ns 1 m 5\nfork 1 case=1 ok"))
	w := record.NewWriter(&b)
	for i, h := range heaps {
		data := []byte("no JSON")
		if h != nil {
			var err error
			data, err = json.Marshal(h)
			must(t, err)
		}
		must(t, w.Write(&record.Attach{Fork: 2 + i, Name: record.AttachHeap, Media: "application/json", Data: data}))
		must(t, w.Write(&record.Attach{Fork: 2 + i, Name: record.AttachHeapProfile, Media: "application/gzip", Data: []byte("p")}))
		must(t, w.Write(&record.Fork{ID: 2 + i, Case: 1, Round: 1 + i, Purpose: record.AttachHeap, State: record.StateOK}))
	}
	return b.String()
}

func grownBy(growth, rest int64, sites ...record.HeapSite) *record.Heap {
	return &record.Heap{When: record.HeapInLoop, Rate: 512, Growth: growth, Sites: sites, Rest: record.HeapSite{Bytes: rest, Objects: 1, SD: 1}}
}

func site(line int, typ string, bytes, objects int64, sd float64, path ...string) record.HeapSite {
	return record.HeapSite{Func: "p.f", File: "p/f.go", Line: line, Type: typ, Path: path, Bytes: bytes, Objects: objects, SD: sd}
}

// TestHeap: medians over forks, of which what is listed adds up.
func TestHeap(t *testing.T) {
	text := heapRecord(t,
		grownBy(1000, 10, site(1, "a", 600, 6, 30, "light"), site(2, "a", 300, 3, 0), site(3, "", 90, 9, 5)),
		grownBy(1100, 30, site(1, "a", 620, 7, 40, "heavy"), site(2, "a", 310, 3, 0), site(4, "b", 40, 4, 0)),
		grownBy(900, 20, site(1, "a", 580, 5, 0, "light"), site(2, "a", 290, 3, 0), site(3, "", 70, 7, 5)),
	)
	s, err := Read(strings.NewReader(text), "test")
	must(t, err)
	if len(s.Results) != 1 || s.Results[0].Heap == nil {
		t.Fatalf("%+v", s.Results)
	}
	h := s.Results[0].Heap
	var got []HeapSite
	for _, x := range h.Sites {
		x.Share = 0
		got = append(got, x)
	}
	if len(got) != 3 || got[0].Bytes != 600 || got[0].Objects != 6 || got[0].Lo != 580 || got[0].Hi != 620 ||
		!slices.Equal(got[0].Path, []string{"heavy"}) || math.Abs(float64(got[0].SD)-math.Sqrt(2500./3)) > 1e-9 ||
		got[1].Bytes != 300 || got[2].Line != 3 || got[2].Bytes != 70 || got[2].Lo != 0 {
		t.Errorf("sites %+v", got)
	}
	if h.Forks != 3 || h.Growth != 1000 || h.Bytes != 600+300+70+20 || h.Objects != 6+3+7+1 || math.Abs(float64(h.Missed)-0.01) > 1e-12 {
		t.Errorf("%+v", h)
	}
	share := h.Rest.Share
	for _, x := range h.Sites {
		share += x.Share
	}
	if math.Abs(float64(share)-1) > 1e-12 {
		t.Errorf("shares add up to %v", share)
	}
	if len(h.Types) != 2 || h.Types[0].Type != "a" || h.Types[0].Bytes != 900 || h.Types[0].Objects != 9 || h.Types[1].Type != "" || h.Types[1].Bytes != 70 {
		t.Errorf("types %+v", h.Types)
	}
	js, err := json.Marshal(s.Results[0])
	must(t, err)
	for _, want := range []string{`"heap":{"forks":3,`, `"sites":[{"func":"p.f","file":"p/f.go","line":1,"type":"a","path":["heavy"],"bytes":600,`, `"types":[{"type":"a","bytes":900,`} {
		if !strings.Contains(string(js), want) {
			t.Errorf("no %s in %s", want, js)
		}
	}
}

// TestHeapNoTypes: without type information no types are shown, and a warning gives the reason.
func TestHeapNoTypes(t *testing.T) {
	h := grownBy(100, 0, site(1, "", 50, 1, 0), site(2, "string", 50, 1, 0))
	h.NoTypes = "another machine"
	s, err := Read(strings.NewReader(heapRecord(t, h)), "test")
	must(t, err)
	if got := s.Results[0].Heap; got.NoTypes != "another machine" || got.Types != nil || len(got.Sites) != 2 {
		t.Errorf("%+v", got)
	}
}

// TestHeapDamaged: lines that cannot be read give a warning, and the other forks count.
func TestHeapDamaged(t *testing.T) {
	for name, bad := range map[string]*record.Heap{
		"no JSON":  nil,
		"negative": grownBy(100, 0, site(1, "a", -1, 1, 0)),
		"huge":     grownBy(100, 0, site(1, "a", math.MaxInt64, 1, 0)),
		"rest":     grownBy(100, -1),
		"many":     grownBy(100, 0, make([]record.HeapSite, 5000)...),
	} {
		s, err := Read(strings.NewReader(heapRecord(t, grownBy(100, 0, site(1, "a", 90, 1, 0)), bad)), "test")
		must(t, err)
		r := s.Results[0]
		if r.Heap == nil || r.Heap.Forks != 1 || r.Heap.Bytes != 90 {
			t.Errorf("%s: %+v", name, r.Heap)
		}
		if !slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Code == diagnosis.DamagedAttached && strings.Contains(w.Text, `"heap"`) }) {
			t.Errorf("%s: doubts %+v", name, r.Warnings)
		}
	}
	s, err := Read(strings.NewReader(heapRecord(t)), "test")
	must(t, err)
	if s.Results[0].Heap != nil {
		t.Errorf("a heap that was not read: %+v", s.Results[0].Heap)
	}
}
