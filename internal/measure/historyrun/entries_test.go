package historyrun

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
)

func readGolden(t *testing.T, name string) *runs.Run {
	t.Helper()
	f, err := os.Open(filepath.Join("../../cli/testdata/golden", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return runs.Read(f, name)[0]
}

func entriesOf(t *testing.T, r *runs.Run, o Options) []*history.Entry {
	t.Helper()
	entries, skipped := Entries(context.Background(), r.Result, r.Bins(), o)
	if len(skipped) > 0 {
		t.Errorf("skipped: %v", skipped)
	}
	return entries
}

const commit = "0123456789012345678901234567890123456789"

// TestEntries: an entry has each unit of each benchmark, with one value for each fork that counts.
func TestEntries(t *testing.T) {
	r := readGolden(t, "bench.jsonl")
	if _, skipped := Entries(context.Background(), r.Result, r.Bins(), Options{}); len(skipped) != 1 || skipped[0].Why != "names no commit" {
		t.Errorf("%v", skipped)
	}
	for _, b := range r.Bins() {
		b.Files = "f"
	}
	e := entriesOf(t, r, Options{Commit: commit, Machine: "lab"})[0]
	if e.Commit != commit || e.Machine != "lab" || e.Toolchain != "go1.26.8" || e.Sequence == "" || !strings.Contains(e.Described, "AMD EPYC, 2 cores") {
		t.Errorf("%+v", e)
	}
	var units []string
	for _, s := range e.Series {
		if s.Name == "Encode/size=64" {
			units = append(units, s.Unit)
			if s.Main != (s.Unit == "ns/op") || len(s.Values) != 8 || s.N != 115000 || s.Procs != 2 || len(s.Bin) != binDigits {
				t.Errorf("%+v", s)
			}
		}
	}
	if !slices.Equal(units, []string{"ns/op", "MB/s", "words/op", "B/op", "allocs/op"}) {
		t.Error(units)
	}
	if content, err := history.Encode(e); err != nil || len(content) == 0 {
		t.Error(err)
	}
}

// TestMachineID: what changes from day to day makes no other machine, what makes it slower does.
func TestMachineID(t *testing.T) {
	e := record.Env{OS: "linux", Arch: "amd64", Kernel: "6.12.0-13-cloud", CPU: "AMD  EPYC", Cores: 2, Memory: 25276510208, Go: "go1.26", GOMAXPROCS: 2}
	id := MachineID(e)
	same, other := e, e
	same.Kernel, same.CPU, same.Memory, same.Go, same.GOMAXPROCS = "6.12.9", "AMD EPYC", e.Memory-10<<20, "go1.27", 1
	other.Cores = 4
	if MachineID(same) != id || MachineID(other) == id || len(id) != 12 {
		t.Errorf("%s, same %s, other %s", id, MachineID(same), MachineID(other))
	}
}
