//go:build linux || darwin

package spawn

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// series collects durations in ns and reports their median, which other load on the machine moves little.
type series []int64

func (s series) report(b *testing.B, unit string) {
	if len(s) > 0 {
		slices.Sort(s)
		b.ReportMetric(float64(s[len(s)/2]), unit)
	}
}

// BenchmarkSpawn starts a tiny program and waits for it: by the launcher, without it, and by os/exec.
// spawn-ns is a call of Spawn, turn-ns is from the end the launcher saw to the return of Wait.
func BenchmarkSpawn(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	launched := func(l *Launcher) func(b *testing.B) {
		return func(b *testing.B) {
			var all, spawning, turning series
			for b.Loop() {
				t0 := monotonicNow()
				c, err := l.Spawn(b.Context(), Spec{Path: path})
				if err != nil {
					b.Fatal(err)
				}
				t1 := monotonicNow()
				res, err := c.Wait()
				t2 := monotonicNow()
				if err != nil {
					b.Fatal(err)
				}
				all, spawning, turning = append(all, t2-t0), append(spawning, t1-t0), append(turning, t2-res.End)
			}
			all.report(b, "median-ns")
			spawning.report(b, "spawn-ns")
			turning.report(b, "turn-ns")
			b.ReportMetric(float64(l.Peak()), "launcher-B")
		}
	}
	b.Run("launcher", launched(start(b)))
	b.Run("plain", launched(InProcess(io.EOF)))
	b.Run("exec", func(b *testing.B) {
		var all series
		for b.Loop() {
			t0 := monotonicNow()
			if err := exec.Command(path).Run(); err != nil {
				b.Fatal(err)
			}
			all = append(all, monotonicNow()-t0)
		}
		all.report(b, "median-ns")
	})
}

// BenchmarkDelay asks a child that tells the clock: to-main-ns is from the call of Spawn to the child's main,
// with everything Go's runtime does before; from-main-ns from its last instruction to the return of Wait.
func BenchmarkDelay(b *testing.B) {
	for name, l := range map[string]*Launcher{"launcher": start(b), "plain": InProcess(io.EOF)} {
		b.Run(name, func(b *testing.B) {
			r, w, err := os.Pipe()
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			spec := role("clock")
			spec.Stdout = w
			var before, after series
			for b.Loop() {
				t0 := monotonicNow()
				c, err := l.Spawn(b.Context(), spec)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := c.Wait(); err != nil {
					b.Fatal(err)
				}
				t1 := monotonicNow()
				var begin, end int64
				if _, err := fmt.Fscanln(r, &begin, &end); err != nil {
					b.Fatal(err)
				}
				before, after = append(before, begin-t0), append(after, t1-end)
			}
			before.report(b, "to-main-ns")
			after.report(b, "from-main-ns")
		})
	}
}

// BenchmarkStart is the cost of a launcher that is in the cache already.
func BenchmarkStart(b *testing.B) {
	start(b)
	var all series
	for b.Loop() {
		t0 := monotonicNow()
		l, err := Start(b.Context(), Config{CacheDir: cacheDir})
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, monotonicNow()-t0)
		l.Close()
	}
	all.report(b, "median-ns")
}
