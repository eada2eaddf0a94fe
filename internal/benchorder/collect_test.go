package benchorder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
)

// linesOf returns n lines of a machine's record, the first of which is its run.
func linesOf(t *testing.T, machine, group string, n int) [][]byte {
	t.Helper()
	var b bytes.Buffer
	w := record.NewWriter(&b)
	write := func(l record.Line) {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	write(&record.Run{Kind: record.KindBench, Machine: machine, Group: group})
	for i := 1; i < n; i++ {
		write(&record.Warn{About: record.AboutRun, Code: "x", Text: fmt.Sprint(machine, i)})
	}
	return bytes.Split(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte("\n"))
}

// TestCollect: lines of machines that come in any order become one file, in which each run is whole.
func TestCollect(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 20 {
		path := filepath.Join(t.TempDir(), "all.jsonl")
		c, left, names := NewCollector(path, "g"), map[string][][]byte{}, []string{"a", "b", "c"}
		for _, name := range names {
			left[name] = linesOf(t, name, "g", 1+r.IntN(30))
		}
		want := map[string]string{}
		for name, lines := range left {
			want[name] = string(bytes.Join(lines, []byte("\n"))) + "\n"
		}
		for len(left) > 0 {
			name := names[r.IntN(len(names))]
			if len(left[name]) == 0 {
				delete(left, name)
				continue
			}
			if err := c.Line(name, left[name][0]); err != nil {
				t.Fatal(err)
			}
			left[name] = left[name][1:]
		}
		whole := ""
		for _, name := range c.Machines() {
			whole += want[name]
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != whole || len(runs.Read(bytes.NewReader(got), "x")) != 3 {
			t.Fatalf("seed %d, %d: %v\n%s\nwant\n%s", seed, i, err, got, whole)
		}
		if files, _ := filepath.Glob(path + ".*"); len(files) > 0 {
			t.Errorf("left: %v", files)
		}
	}
}

// TestCollectRefuses: what is no line of the machine's record is refused and written nowhere.
func TestCollectRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.jsonl")
	c := NewCollector(path, "g")
	run := linesOf(t, "a", "g", 1)[0]
	for what, text := range map[string]string{
		"no line": "", "words": "hello", "two lines": string(run) + "\n{}", "not a run": `{"k":"warn","about":"run"}`,
		"another machine": string(linesOf(t, "b", "g", 1)[0]), "another group": string(linesOf(t, "a", "h", 1)[0]),
	} {
		if err := c.Line("a", []byte(text)); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	if err := c.Line("../x", linesOf(t, "../x", "g", 1)[0]); err == nil {
		t.Error("a machine that is a path was taken")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	if err := c.Line("a", run); err != nil {
		t.Fatal(err)
	}
	if err := c.Line("a", run); err == nil {
		t.Error("a second run was taken")
	}
	if err := c.Line("a", []byte("{\"k\":\"warn\",\"text\":\"\x1b[31m\xff\"}")); err != nil {
		t.Error(err)
	}
	if got := c.Machines(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%v", got)
	}
	part, err := os.ReadFile(path + ".a.part")
	if err != nil || strings.Contains(string(part), "\x1b") || !strings.Contains(string(part), `\u001b[31m`) {
		t.Errorf("%v: %q", err, part)
	}
	if err := NewCollector(path, "g").Line("a", run); !errors.Is(err, fs.ErrExist) {
		t.Errorf("what another process gathered was replaced: %v", err)
	}
}
