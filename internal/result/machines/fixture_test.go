package machines

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
)

// machine describes a run to be made up: two sides of benchmarks whose new side takes changes[i] as long.
type machine struct {
	name    string
	speed   float64   // times of its old sides, ns
	changes []float64 // one for each benchmark: A, B, …
	forks   int       // of each side; 0: 10
	noise   float64   // relative; 0: 0.5 %
	allocs  [2]float64
	change  func(*record.Run, *record.Bin)
	cut     bool // the run did not end
}

// lines writes the record of a machine.
func (m machine) lines(t *testing.T, w *record.Writer, r *rand.Rand) {
	t.Helper()
	write := func(l record.Line) {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	run := &record.Run{
		Kind: record.KindBench, Group: "g", Machine: m.name, Start: time.Unix(1_700_000_000, 0), Mono: int64(m.speed),
		Config: record.Config{Bench: ".", Forks: m.forks, Iterations: 4, CPU: []int{2}, Confidence: 0.95, Test: record.TestSavage, Time: 50 * time.Millisecond},
		Sides:  []record.Side{{Name: "old", Ref: "main", Revision: "0a1b"}, {Name: "new", Revision: "2c3d"}},
		Env:    record.Env{OS: "linux", Arch: "amd64", CPU: "cpu of " + m.name, Cores: 2, Go: "go1.26.8", GOMAXPROCS: 2},
	}
	bins := []*record.Bin{{ID: 1, Pkg: "p", Side: "old", SHA256: m.name + "1"}, {ID: 2, Pkg: "p", Side: "new", SHA256: m.name + "2"}}
	if m.change != nil {
		m.change(run, bins[1])
	}
	write(run)
	write(bins[0])
	write(bins[1])
	for i := range m.changes {
		for side, name := range []string{"old", "new"} {
			write(&record.Case{ID: 2*i + side + 1, Pkg: "p", Name: string(rune('A' + i)), Side: name, Bin: side + 1, Procs: run.Config.CPU[0], Mode: record.ModeN, N: m.operations()})
		}
	}
	fork := 0
	for round := 1; round <= m.forks; round++ {
		for i, change := range m.changes {
			for side, factor := range []float64{1, change} {
				fork++
				m.fork(write, r, fork, round, 2*i+side+1, side, m.speed*factor)
			}
		}
	}
	if !m.cut {
		write(&record.End{State: record.EndCompleted})
	}
}

// operations returns those of an iteration of 50 ms.
func (m machine) operations() int64 { return int64(5e7 / m.speed) }

func (m machine) fork(write func(record.Line), r *rand.Rand, id, round, of, side int, ns float64) {
	shift, n := m.noise*r.NormFloat64(), float64(m.operations())
	for j := 1; j <= 4; j++ {
		x := ns * math.Exp(shift+m.noise*r.NormFloat64())
		v := record.Values{{Unit: "ns/op", Value: x}}
		if m.allocs[0] > 0 {
			v = append(v, record.Value{Unit: "allocs/op", Value: m.allocs[side]})
		}
		write(&record.Sample{Fork: id, Iter: j, Phase: record.PhaseMeasure, Ns: int64(n * x), Ops: int64(n), Wall: int64(1.02 * n * x), V: v})
	}
	write(&record.Fork{ID: id, Case: of, Bin: side + 1, Round: round, Order: id, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 2e8})
}

// file returns the record of all machines, one after the other.
func file(t *testing.T, seed uint64, all ...machine) []byte {
	t.Helper()
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(seed, 1))
	for _, m := range all {
		if m.forks == 0 {
			m.forks = 10
		}
		if m.noise == 0 {
			m.noise = 0.005
		}
		m.lines(t, record.NewWriter(&b), r)
	}
	return b.Bytes()
}

// combine reads the record of all machines and combines it.
func combine(t *testing.T, seed uint64, all ...machine) (*Result, error) {
	t.Helper()
	read := runs.Read(bytes.NewReader(file(t, seed, all...)), "all.jsonl")
	for _, r := range read {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	groups := Groups(read)
	if len(groups) != 1 || len(groups[0]) != len(all) {
		t.Fatalf("%d groups", len(groups))
	}
	return Combine(groups[0])
}

// combined fails if the machines cannot be combined.
func combined(t *testing.T, seed uint64, all ...machine) *Result {
	t.Helper()
	r, err := combine(t, seed, all...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
