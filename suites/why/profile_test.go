package why

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// profiled runs the benchmark n times with a profile of package testing and returns the profile.
func (s *side) profiled(t *testing.T, binary string, n int, kind string, flags ...string) (*profile.Profile, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), kind)
	out := s.run(t, binary, n, append(flags, "-test."+kind+"="+path)...)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	return p, out
}

// total adds up the first value of the samples whose stacks have a frame that is asked for.
func total(p *profile.Profile, wanted func(function string, line int) bool) int64 {
	var sum int64
	for _, s := range p.Sample {
		if hasFrame(s, wanted) {
			sum += s.Value[0]
		}
	}
	return sum
}

func hasFrame(s *profile.Sample, wanted func(function string, line int) bool) bool {
	for _, l := range s.Location {
		for _, at := range l.Line {
			if wanted(at.Function.Name, int(at.Line)) {
				return true
			}
		}
	}
	return false
}

// proveAllocations: so many more objects or bytes per operation, and objects at the place.
func proveAllocations(t *testing.T, c compiled) {
	const n = 200
	before := c.base.run(t, c.before, n)
	p, _ := c.changed.profiled(t, c.after, n, "memprofile", "-test.memprofilerate=1")
	after := c.changed.run(t, c.after, n) // without what the profile allocates
	if x, y := figure(t, before, "allocs/op"), figure(t, after, "allocs/op"); y-x < c.Proof.Allocs {
		t.Errorf("%v and %v allocs/op, want %v more", x, y, c.Proof.Allocs)
	}
	if x, y := figure(t, before, "B/op"), figure(t, after, "B/op"); y-x < c.Proof.Bytes {
		t.Errorf("%v and %v B/op, want %v more", x, y, c.Proof.Bytes)
	}
	name := modulePath + "/" + c.Package + "." + c.Place.Func
	here := total(p, func(function string, line int) bool {
		return line == c.line && (function == name || strings.HasPrefix(function, name+"-range")) // of a loop over an iterator
	})
	if here < n/2 { // profiles miss most of the tiny objects
		t.Errorf("%d objects at %s:%d in %d operations", here, c.Place.File, c.line, n)
	}
}

// proveLock: goroutines wait for the lock, and hardly before. Whether they meet is chance: it takes more operations on a
// busy machine.
func proveLock(t *testing.T, c compiled) {
	wanted := func(function string, _ int) bool { return strings.Contains(function, c.Proof.Contention) }
	testutil.Retry(t, func(attempt int) error {
		n := 100 << (2 * attempt)
		x, _ := c.base.profiled(t, c.before, n, "mutexprofile", "-test.mutexprofilefraction=1", "-test.cpu=4")
		y, _ := c.changed.profiled(t, c.after, n, "mutexprofile", "-test.mutexprofilefraction=1", "-test.cpu=4")
		before, after := total(x, wanted), total(y, wanted)
		if after < 20 || before > after/5 {
			return fmt.Errorf("goroutines waited %d and %d times in %d operations", before, after, n)
		}
		return nil
	})
}

// proveChannel: goroutines wait more often at channels, in functions of the package, among them at the place's function.
func proveChannel(t *testing.T, c compiled) {
	const n = 100
	prefix := modulePath + "/" + c.Package + "."
	everywhere := func(function string, _ int) bool { return strings.HasPrefix(function, prefix) }
	x, _ := c.base.profiled(t, c.before, n, "blockprofile", "-test.blockprofilerate=1")
	y, _ := c.changed.profiled(t, c.after, n, "blockprofile", "-test.blockprofilerate=1")
	before, after := float64(channels(x, everywhere))/n, float64(channels(y, everywhere))/n
	if after-before < c.Proof.Blocks {
		t.Errorf("goroutines wait %v and %v times per operation, want %v more", before, after, c.Proof.Blocks)
	}
	here := func(function string, _ int) bool { return function == prefix+c.Place.Func }
	if channels(y, here) == 0 {
		t.Errorf("no goroutine waits in %s", c.Place.Func)
	}
}

// channels adds up like total, of samples that are no waits for locks or groups.
func channels(p *profile.Profile, wanted func(string, int) bool) int64 {
	var sum int64
	for _, s := range p.Sample {
		lock := hasFrame(s, func(function string, _ int) bool {
			return strings.HasPrefix(function, "sync.") && !strings.Contains(function, ".Go.")
		})
		if !lock && hasFrame(s, wanted) {
			sum += s.Value[0]
		}
	}
	return sum
}
