package sample_test

import (
	"fmt"
	"math"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestBeats: a program that works for a part of every so long is found at work so often, by its
// own account, whether a look has to wait for a processor or not, and whether the period is that
// of the looks or not.
func TestBeats(t *testing.T) {
	testutil.NeedLong(t, "samples several programs")
	for _, c := range []struct {
		procs, period, busy string
		long                bool
	}{{"1", "3", "1", true}, {"2", "3", "1", true}, {"1", "10", "3", false}} {
		t.Run(fmt.Sprintf("%s ms of %s, GOMAXPROCS=%s", c.busy, c.period, c.procs), func(t *testing.T) {
			if c.long {
				testutil.NeedLong(t, "another period of the same")
			}
			t.Setenv("GOMAXPROCS", c.procs)
			testutil.Retry(t, func(n int) error {
				run, out := sampleRun(t, watched(t), sample.Config{}, "beats", strconv.Itoa(1500<<n), c.period, c.busy)
				truth, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
				if err != nil {
					t.Fatal(err)
				}
				h := run.How
				share := float64(sum(run.Profile, record.TypeWall, "main.beat")) / float64(sum(run.Profile, record.TypeWall, "main.beats"))
				off := math.Sqrt(truth * (1 - truth) / h.EffectiveSamples)
				if h.EffectiveSamples < 10 || h.EffectiveSamples > float64(h.Samples)+0.001 || !(math.Abs(share-truth) <= 4*off+0.04) {
					return fmt.Errorf("main.beat %.3f of the time, by its own account %.3f, standard error %.3f: %+v", share, truth, off, h)
				}
				running := float64(sum(run.Profile, record.TypeWall, "main.beats", record.LabelState, record.StateRunning)) / float64(h.Wall)
				if math.Abs(running-share) > 0.1 {
					return fmt.Errorf("main.beat %.3f of the time, running %.3f", share, running)
				}
				return nil
			})
		})
	}
}

// TestTurns: no more goroutines run than there are places, however fast they take turns, and
// those that run are found where they run.
func TestTurns(t *testing.T) {
	testutil.NeedLong(t, "another truth of the same sampler")
	t.Setenv("GOMAXPROCS", "1")
	testutil.Retry(t, func(n int) error {
		run, _ := sampleRun(t, watched(t), sample.Config{}, "turns", strconv.Itoa(1000<<n))
		wall := float64(run.How.Wall)
		running := float64(sum(run.Profile, record.TypeWall, "main.turns", record.LabelState, record.StateRunning))
		for _, f := range []string{"main.turns.func1", "main.turns.func2"} {
			running += float64(sum(run.Profile, record.TypeWall, f, record.LabelState, record.StateRunning))
		}
		turn := float64(sum(run.Profile, record.TypeWall, "main.turn", record.LabelState, record.StateRunning))
		if running > 1.15*wall || running < 0.6*wall || turn < running/2 {
			return fmt.Errorf("running %.2f of the time, in main.turn %.2f: %+v", running/wall, turn/wall, run.How)
		}
		return nil
	})
}

// TestCalled: Go functions that C calls are found at work, with all that called them: and
// nothing is read that is not on their stacks.
func TestCalled(t *testing.T) {
	if out, err := exec.Command("go", "env", "CC").Output(); err != nil || runtime.GOOS != "linux" {
		t.Skip("no C compiler")
	} else if _, err := exec.LookPath(strings.TrimSpace(string(out))); err != nil {
		t.Skip(err)
	}
	t.Setenv("CGO_ENABLED", "1")
	path := program(t, "called")
	for what, functions := range map[string][]string{"direct": {"main.work", "main.calls", "main.main"}, "thread": {"main.work", "main.spin"}} {
		t.Run(what, func(t *testing.T) {
			for range testutil.Pick(1, 3) {
				testutil.Retry(t, func(n int) error {
					run, out := sampleRun(t, path, sample.Config{Interval: time.Millisecond}, what, strconv.Itoa(200<<n))
					if run.Process.ExitCode != 0 {
						t.Fatalf("%+v\n%s", run.Process, out)
					}
					if err := mustSee(run, functions...); err != nil {
						return err
					}
					work, spin := sum(run.Profile, record.TypeWall, "main.work"), sum(run.Profile, record.TypeWall, "main.spin")
					if called := sum(run.Profile, record.TypeWall, functions[1]); spin < work/2 || called < work*9/10 && what == "direct" {
						return fmt.Errorf("main.work %d ns, main.spin %d, %s %d", work, spin, functions[1], called)
					}
					return nil
				})
			}
		})
	}
}

// TestDeep: deep stacks are complete. Of a stack that is too deep the inner part is kept,
// below an entry that is no function, and a warning says so.
func TestDeep(t *testing.T) {
	for what, cut := range map[string]bool{"deep": false, "deeper": true} {
		t.Run(what, func(t *testing.T) {
			testutil.Retry(t, func(int) error {
				run, _ := sampleRun(t, watched(t), sample.Config{}, what)
				if err := mustSee(run, "main.deep", "main.sleepLong"); err != nil {
					return err
				}
				if sum(run.Profile, record.TypeWall, "main.sleepLong") != sum(run.Profile, record.TypeWall, map[bool]string{false: "main.main", true: "(cut)"}[cut]) {
					return fmt.Errorf("not all of it has its root: %v", run.Profile)
				}
				reported := slices.ContainsFunc(run.Warnings(), func(w *record.Warn) bool { return w.Code == diagnosis.StacksCut })
				if reported != cut || cut != (run.How.Cut > 0.5) {
					return fmt.Errorf("warning %v: %+v", reported, run.How)
				}
				return nil
			})
		})
	}
}

// TestFull: a program that sees more than there is room for is not disturbed by that, and it is
// said what is not covered.
func TestFull(t *testing.T) {
	testutil.Retry(t, func(n int) error { // it may end before the look for which there is no room is due
		run, _ := sampleRun(t, watched(t), sample.Config{Capacity: 64 << 10}, "many", "20000", strconv.Itoa(300<<n))
		h := run.How
		if run.Process.ExitCode != 0 {
			t.Fatalf("%+v\n%+v", run.Process, h)
		}
		if wall := int64(run.Process.Wall()); h.Wall+h.Unseen > wall || h.Wall+h.Unseen < wall*9/10 {
			return fmt.Errorf("%d + %d ns of %d", h.Wall, h.Unseen, wall)
		}
		reported := slices.ContainsFunc(run.Warnings(), func(w *record.Warn) bool { return w.Code == diagnosis.LooksLost })
		if h.Unseen == 0 || !reported {
			return fmt.Errorf("%d samples, %d ns unseen; warnings %+v", h.Samples, h.Unseen, run.Warnings())
		}
		return nil
	})
}
