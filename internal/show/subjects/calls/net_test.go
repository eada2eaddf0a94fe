package calls

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// massive is a caller of very many short calls, a caller of long ones, and main.
func massive(change func(*record.Trace)) *record.Trace {
	p := newProgram(0, "m.main", "m.many", "m.short", "m.few", "m.long")
	p.start()
	p.call(-1, 0, func(at int) {
		p.work(1e6)
		p.call(at, 1, func(at int) {
			for range 1000 {
				p.call(at, 2, func(int) { p.work(15) })
			}
			p.work(5000)
		})
		p.call(at, 3, func(at int) {
			for range 1000 {
				p.call(at, 4, func(int) { p.work(1500) })
			}
			p.work(1e5)
		})
	})
	t := p.done()
	change(t)
	return t
}

// TestUncertain: what is left of the time of a caller of very many short calls is marked, and has one digit; that of one
// with long calls is not, and has the digits that are known.
func TestUncertain(t *testing.T) {
	bench := func(plain float64) func(*record.Trace) {
		return func(tr *record.Trace) {
			tr.Window, tr.Ops, tr.Plain = record.AsmMarks, 1, plain
			for _, e := range tr.Tree {
				if e.Parent < 0 {
					tr.Length += e.Total
				}
			}
		}
	}
	for _, test := range []struct {
		name   string
		change func(*record.Trace)
		want   map[string]string // of the function: what its line has
		not    string
	}{
		{"a program", func(*record.Trace) {}, map[string]string{"many": " <40 µs <20 µs ", "short": " 20 µs? 20 µs? ", "few": " 1.60 ms ", "long": " 1.50 ms ", "main": " 2.62 ms "}, "by forks without probes"},
		{"others had the processors", func(tr *record.Trace) { tr.Others = 0.5 }, map[string]string{"many": " <50 µs ≤10 µs ", "few": " ≤1.6 ms "}, "?"},
		{"a benchmark", bench(2.6e6), map[string]string{"many": " <20 µs ", "main": " 2.60 ms "}, "not checked"},
	} {
		text := textOf(t, mustNew(t, massive(test.change), Config{}), Options{UTF8: true, Width: 160})
		table, _, _ := strings.Cut(text, "caller > callee")
		for name, want := range test.want {
			for line := range strings.Lines(table) {
				if strings.HasPrefix(line, name+" ") {
					if line = strings.Join(strings.Fields(line), " ") + " "; !strings.Contains(line, want) {
						t.Errorf("%s: %s without %q: %s", test.name, name, want, line)
					}
				}
			}
		}
		if strings.Contains(text, test.not) {
			t.Errorf("%s: %q in\n%s", test.name, test.not, text)
		}
	}
}

// TestHeap: what allocates, and would be inlined, may take no time without probes.
func TestHeap(t *testing.T) {
	for _, allocs := range [][]string{nil, {"m.long"}} {
		c := mustNew(t, massive(func(tr *record.Trace) { tr.Inlined, tr.Allocs = allocs, allocs }), Config{})
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Functions []struct {
				Name      string
				Total     bool    `json:"corrected_total_unreliable"`
				Self      bool    `json:"corrected_self_unreliable"`
				Off       float64 `json:"corrected_total_uncertainty_ns"`
				Corrected float64 `json:"corrected_total_ns"`
			}
			Tree []struct {
				Name  string
				Total bool `json:"corrected_total_unreliable"`
			}
		}
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		bad := allocs != nil
		for _, f := range got.Functions {
			want := map[string][2]bool{"m.main": {bad, false}, "m.many": {true, true}, "m.short": {true, true}, "m.few": {bad, false}, "m.long": {bad, bad}}[f.Name]
			if f.Total != want[0] || f.Self != want[1] || f.Total != (f.Off > f.Corrected/5) {
				t.Errorf("allocating %v: %+v, want %v", allocs, f, want)
			}
		}
		for _, e := range got.Tree {
			if want := e.Name == "m.many" || e.Name == "m.short" || bad; e.Total != want {
				t.Errorf("allocating %v: tree: %+v", allocs, e)
			}
		}
	}
}
