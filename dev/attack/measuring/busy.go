//go:build linux

package measuring

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/tarebench/tare/dev/attack/mutate"
	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/internal/process/spawn"
)

// Pairs is the number of comparisons of a code with itself at scale 1.
const Pairs = 30

// falseShare is the share of verdicts that may be wrong: 1 less the confidence.
const falseShare = 0.05

// same is a benchmark file of two sides that differ in a text which nothing reads, so that they are the
// same code and different binaries.
const same = `package main

import (
	"sort"
	"strings"
	"testing"
)

var Side = "SIDE"

var sink int

func BenchmarkCompute(b *testing.B) {
	for b.Loop() {
		sink = work(2000)
	}
}

func BenchmarkAllocate(b *testing.B) {
	for b.Loop() {
		sink = len(strings.Repeat(Side, 300))
	}
}

func BenchmarkSort(b *testing.B) {
	numbers := make([]int, 1000)
	for b.Loop() {
		for i := range numbers {
			numbers[i] = i * 7919 % 1009
		}
		sort.Ints(numbers)
	}
}
`

// Busy compares a code with itself beside a hog that takes processors at random, and counts verdicts of
// "different" that are trusted. Hog is the command line of a process that takes one processor.
func Busy(ctx context.Context, c target.Config, done tally.Done, hog ...string) error {
	what := fmt.Sprintf("%d comparisons of a code with itself", c.Count(Pairs))
	return c.Attack(ctx, "busy machine", what, done, func(row *tally.Row, l *spawn.Launcher) error {
		a := &attack{Config: c, row: row, launcher: l}
		rows, wrong, untrusted := 0, 0, 0
		err := c.Inputs(Pairs).Each(ctx, 1, func(number int) error {
			verdicts, err := a.compare(ctx, number, hog)
			for _, v := range verdicts {
				rows++
				switch {
				case !v.different():
				case v.Trusted:
					wrong++
				default:
					untrusted++
				}
			}
			return err
		})
		row.Note = fmt.Sprintf("%d rows of the same code: %d different and trusted, %d different and not trusted", rows, wrong, untrusted)
		if most := mostFalse(rows); wrong > most {
			row.Add(tally.Finding{Kind: tally.Other, Text: fmt.Sprintf("%s; at most %d would be chance", row.Note, most)})
		}
		return err
	})
}

// verdict is one row of a comparison.
type verdict struct {
	Name, Unit, Verdict string
	Trusted             bool
}

func (v verdict) different() bool { return v.Verdict == "faster" || v.Verdict == "slower" }

// compare runs both sides beside the hog, and returns the verdicts on time.
func (a *attack) compare(ctx context.Context, number int, hog []string) ([]verdict, error) {
	p, err := a.prepare()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(p.dir)
	for _, side := range []string{"a", "b"} {
		text := strings.ReplaceAll(same, "SIDE", side)
		if err := os.WriteFile(filepath.Join(p.dir, side, "m_test.go"), []byte(text), 0o666); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(p.dir, side, "m.go"), []byte(strings.ReplaceAll(program, "SIZE", "1000")), 0o666); err != nil {
			return nil, err
		}
	}
	stop, err := startHogs(ctx, mutate.Seed(a.Seed, "busy", number), hog)
	if err != nil {
		return nil, err
	}
	defer stop()
	o, err := a.tare(ctx, p, "bench", "--no-wait", "--forks", "10", "--time", "10ms", "--side", "a=.", "--side", "b=../b", "--progress", "none", "--format", "json")
	if err != nil {
		return nil, err
	}
	a.row.Tried(0)
	for _, f := range o.Judge(target.Limits{Codes: []int{0}}) {
		f.Input = number
		a.row.Add(f)
	}
	return readVerdicts(o.Output)
}

func readVerdicts(output string) (out []verdict, err error) {
	var report struct{ Comparisons []verdict }
	if err := json.Unmarshal([]byte(output), &report); err != nil {
		return nil, fmt.Errorf("its JSON cannot be read: %w", err)
	}
	for _, v := range report.Comparisons {
		if v.Unit == "ns/op" {
			out = append(out, v)
		}
	}
	return out, nil
}

// startHogs starts a hog for each processor. Each takes turns of its own.
func startHogs(ctx context.Context, rng *rand.Rand, hog []string) (stop func(), err error) {
	var all []*exec.Cmd
	stop = func() {
		for _, cmd := range all {
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	for range runtime.NumCPU() {
		cmd := exec.CommandContext(ctx, hog[0], append(hog[1:], fmt.Sprint(rng.Uint32()))...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			stop()
			return nil, err
		}
		all = append(all, cmd)
	}
	return stop, nil
}

// Hog takes a processor in bursts of up to 400 ms, with rests of up to 400 ms, for an hour at most.
func Hog(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for end := time.Now().Add(time.Hour); time.Now().Before(end); {
		for burst := time.Now().Add(time.Duration(rng.IntN(400)) * time.Millisecond); time.Now().Before(burst); {
		}
		time.Sleep(time.Duration(rng.IntN(400)) * time.Millisecond)
	}
}

// mostFalse is the most verdicts of n that are wrong by chance, but for one attack in a thousand.
func mostFalse(n int) int {
	p, sum := math.Pow(1-falseShare, float64(n)), 0.0
	for k := 0; k < n; k++ {
		if sum += p; sum >= 0.999 {
			return k
		}
		p *= float64(n-k) / float64(k+1) * falseShare / (1 - falseShare)
	}
	return n
}
