package historyrun

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/record"
)

func lineOf(n int) (out []trend.Commit) {
	for i := range n {
		out = append(out, trend.Commit{Hash: fmt.Sprintf("%040x", i)})
	}
	return out
}

// TestEvery: the last commit is always among them, and the steps are equal.
func TestEvery(t *testing.T) {
	for n := range 20 {
		line := lineOf(n)
		for every := 1; every < 25; every++ {
			got := Every(line, every)
			if n == 0 {
				if len(got) != 0 {
					t.Fatal(got)
				}
				continue
			}
			if got[len(got)-1] != line[n-1] || len(got) != (n+every-1)/every {
				t.Fatalf("%d of %d: %d commits", every, n, len(got))
			}
		}
	}
}

// TestSequences: each commit is in one sequence, no sequence is too large, sizes differ by at most one, and adjacent
// commits are in different sequences.
func TestSequences(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		line, size := lineOf(r.IntN(60)), 1+r.IntN(12)
		at := map[string]int{}
		least, most := len(line), 0
		for i, s := range Sequences(line, size) {
			least, most = min(least, len(s)), max(most, len(s))
			for _, c := range s {
				at[c.Hash] = i + 1
			}
		}
		if len(at) != len(line) || most > size || len(line) > 0 && most-least > 1 {
			t.Fatalf("%d commits of %d, %d … %d a sequence of %d", len(at), len(line), least, most, size)
		}
		for i := 1; i < len(line) && len(line) > size; i++ {
			if at[line[i].Hash] == at[line[i-1].Hash] {
				t.Fatalf("%d and %d of %d are in one sequence of %d", i-1, i, len(line), size)
			}
		}
	}
}

// TestDone: only entries of the same machine, toolchain and benchmarks count.
func TestDone(t *testing.T) {
	x := record.Bin{Pkg: "m", SHA256: "1", Files: "2"}
	bin := x.Program()[:binDigits]
	other, unknown, elsewhere := x, x, x
	other.Files, unknown.Files, elsewhere.Pkg = "3", "", "n"
	d := &Done{Machine: "a", Toolchain: "go1", Plan: "p"}
	entry := func(commit, machine, toolchain, plan string, dirty bool) {
		d.Add(history.File{}, &history.Entry{Commit: commit, Machine: machine, Toolchain: toolchain, Plan: plan, Dirty: dirty,
			Series: []history.Series{{Key: history.Key{Pkg: "m"}, Bin: bin}}})
	}
	entry("1", "b", "go1", "p", false)
	entry("2", "a", "go2", "p", false)
	entry("3", "a", "go1", "q", false)
	entry("4", "a", "go1", "p", true)
	if len(d.Commits) != 0 || d.of(&x) != "" {
		t.Error(d.Commits)
	}
	entry("5", "a", "go1", "p", false)
	entry("6", "a", "go1", "p", false)
	if len(d.Commits) != 2 || d.of(&x) != "5" || d.of(&elsewhere) != "" || d.of(&other) != "" || d.of(&unknown) != "" {
		t.Errorf("%v, %q", d.Commits, d.of(&x))
	}
	d.Forget()
	if d.of(&x) != "" || len(d.Commits) != 0 {
		t.Error("not forgotten")
	}
}

// TestMissing: a benchmark that others have is a gap, unless another gap tells why.
func TestMissing(t *testing.T) {
	key := func(pkg, name string) history.Key { return history.Key{Pkg: pkg, Name: name} }
	entries := []*history.Entry{
		{Series: []history.Series{{Key: key("p", "A")}, {Key: key("p", "B")}, {Key: key("q", "C")}}},
		{Series: []history.Series{{Key: key("p", "A")}}, Gaps: []history.Gap{{Pkg: "q", Why: "same test binary"}}},
		{Gaps: []history.Gap{{Why: "does not build"}}},
	}
	addMissing(entries)
	for i, want := range []int{0, 2, 1} {
		if len(entries[i].Gaps) != want {
			t.Errorf("%d: %+v", i, entries[i].Gaps)
		}
	}
	if g := entries[1].Gaps[1]; g.Pkg != "p" || g.Name != "B" || g.Why != noBenchmark {
		t.Errorf("%+v", g)
	}
}
