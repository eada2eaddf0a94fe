package benchorder

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/internal/result/machines"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
)

// asTare makes this test program tare, for the runs that tests start.
const asTare = "TARE_TEST_AS_TARE"

// stubborn makes it a program that begins a record and ignores signals.
const stubborn = "TARE_TEST_STUBBORN"

func TestMain(m *testing.M) {
	if os.Getenv(stubborn) != "" {
		signal.Ignore(os.Interrupt)
		os.WriteFile(os.Args[3], []byte(`{"k":"run","v":1,"tare":"","start":"2026-01-02T03:04:05Z","mono":0,"command":null,"seed":"0","config":{"packages":null,"bench":"","forks":0,"warmup":0,"iterations":0,"time":0,"timeout":0,"order":"","confidence":0},"env":{"os":"","arch":"","cores":0,"go":"","gomaxprocs":0}}`+"\n{\"k\":\"cut o"), 0o600)
		select {}
	}
	if os.Getenv(asTare) != "" {
		os.Exit(cli.Main(cli.Config{}, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Setenv(asTare, "1")
	os.Setenv("TARE_RUNLOG", "off")
	os.Exit(m.Run())
}

// checkout returns a repository with a package of two benchmarks, the second commit of which does half of the work.
func checkout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/work\n\ngo 1.25\n")
	write("work_test.go", `package work

import ("testing"; "time")

var sink int

func spin(n int) { for i := range n { sink += i * i } }

func BenchmarkHalf(b *testing.B) { for b.Loop() { spin(rounds) } }

func BenchmarkSlow(b *testing.B) { for b.Loop() { time.Sleep(20 * time.Millisecond) } }
`)
	git := func(args ...string) {
		c := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for _, rounds := range []string{"4000", "2000"} {
		write("rounds_test.go", "package work\n\nconst rounds = "+rounds+"\n")
		git("add", ".")
		git("commit", "-q", "-m", rounds)
	}
	return dir
}

// collector gathers lines.
type collector struct {
	text   bytes.Buffer
	first  chan struct{} // closed with the first sample
	closed bool
}

func newCollector() *collector { return &collector{first: make(chan struct{})} }

func (c *collector) line(text []byte) error {
	c.text.Write(append(text, '\n'))
	if !c.closed && bytes.HasPrefix(text, []byte(`{"k":"sample"`)) {
		c.closed = true
		close(c.first)
	}
	return nil
}

func (c *collector) runs(t *testing.T) []*runs.Run {
	t.Helper()
	return runs.Read(bytes.NewReader(c.text.Bytes()), "the lines")
}

var short = []string{"--against", "HEAD~1", "--forks", "6", "--iterations", "1", "--warmup", "0", "--time", "2ms", "--bench", "Half", "."}

// TestMachinesTogether: the same order on two "machines" is one file, whose runs are combined.
func TestMachinesTogether(t *testing.T) {
	dir, records, all := checkout(t), t.TempDir(), newCollector()
	r := Runner{Records: records}
	path := filepath.Join(t.TempDir(), "all.jsonl")
	c := NewCollector(path, "g")
	for _, name := range []string{"a", "b"} {
		err := r.Run(t.Context(), dir, Order{Args: short, Machine: name, Group: "g"}, func(text []byte) error {
			return errors.Join(all.line(text), c.Line(name, text))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, all.text.Bytes()) {
		t.Errorf("the file is not what was handed over: %v", err)
	}
	found := all.runs(t)
	groups := machines.Groups(found)
	if len(found) != 2 || found[0].Err != nil || found[1].Run.Machine != "b" || found[1].End == nil || len(groups) != 1 {
		t.Fatalf("%d runs: %v", len(found), found[0].Err)
	}
	res, err := machines.Combine(groups[0])
	if err != nil {
		t.Fatal(err)
	}
	row := res.Rows[0]
	if len(row.Machines) != 2 || row.Combined.Name != "Half" || row.Combined.Unit != "ns/op" || !row.Combined.Main {
		t.Errorf("%+v", row)
	}
	if err := r.Run(t.Context(), dir, Order{Args: short, Machine: "a", Group: "g"}, all.line); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a kept record was replaced: %v", err)
	}
	again := newCollector()
	for _, name := range []string{"a", "b"} {
		if err := r.Kept(Order{Machine: name, Group: "g"}, again.line); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(again.text.Bytes(), all.text.Bytes()) {
		t.Error("the records that were kept are not what was handed over")
	}
	if err := r.Kept(Order{Machine: "c", Group: "g"}, again.line); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a record that was not kept: %v", err)
	}
}

// TestInterrupted: when the context ends the run may finish its fork, and what was measured is handed over, marked
// partial.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	got, done, dir := newCollector(), make(chan error, 1), checkout(t)
	args := []string{"--forks", "100000", "--benchtime", "1x", "--iterations", "1", "--warmup", "0", "--bench", "Slow"}
	go func() {
		done <- Runner{Grace: time.Minute}.Run(ctx, dir, Order{Args: args, Machine: "a", Group: "g"}, got.line)
	}()
	select {
	case <-got.first:
	case err := <-done:
		t.Fatalf("ended: %v", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	r := got.runs(t)[0]
	if r.Err != nil || r.End == nil || r.End.State != record.EndPartial || len(r.Results) == 0 {
		t.Errorf("%+v, %v", r.End, r.Err)
	}
}

// TestStubborn: a run that ignores signals is killed, and the lines that it has written whole are handed over.
func TestStubborn(t *testing.T) {
	t.Setenv(stubborn, "1")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	err := Runner{Grace: 50 * time.Millisecond}.Run(ctx, t.TempDir(), order(), func(text []byte) error {
		n++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%v after %d lines", err, n)
	}
}

// TestLineFails: a run whose lines cannot be handed over ends, and the error is that of the line.
func TestLineFails(t *testing.T) {
	away := errors.New("nobody listens")
	args := []string{"--forks", "100000", "--benchtime", "1x", "--iterations", "1", "--warmup", "0", "--bench", "Slow"}
	n := 0
	err := Run(t.Context(), checkout(t), Order{Args: args, Machine: "a", Group: "g"}, func([]byte) error {
		if n++; n == 10 {
			return away
		}
		return nil
	})
	if err != away || n != 10 {
		t.Errorf("%v after %d lines", err, n)
	}
}

// TestFails: a run that cannot be made says why, in the words of tare.
func TestFails(t *testing.T) {
	var exit *ExitError
	err := Run(t.Context(), checkout(t), order("./nowhere"), func([]byte) error { return nil })
	if !errors.As(err, &exit) || exit.Code == 0 || !strings.Contains(exit.Last, "nowhere") {
		t.Errorf("%v", err)
	}
	if err := Run(t.Context(), t.TempDir(), order("--env", "A=b"), nil); err == nil {
		t.Error("an order that is not valid was run")
	}
	if err := Run(t.Context(), filepath.Join(t.TempDir(), "none"), order(), nil); err == nil {
		t.Error("a directory that does not exist was run in")
	}
}
