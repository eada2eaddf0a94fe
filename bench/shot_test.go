package bench

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

func BenchmarkShot(b *testing.B) {
	helper(b)
	fire := func() { fmt.Fprintln(os.Stderr, "\nfired") }
	b.Run("one", func(b *testing.B) { SingleShot(b, fire) })
	b.Run("many", func(b *testing.B) {
		SingleShot(b, func() {
			fire()
			for i := range kept {
				kept[i] = make([]byte, 1000)
			}
		}, Ops(len(kept)), Bytes(1000))
	})
	b.Run("skips", func(b *testing.B) { SingleShot(b, func() { fire(); b.Skip("not here") }) })
	b.Run("fails", func(b *testing.B) { SingleShot(b, func() { fire(); b.FailNow() }) })
}

var kept [10][]byte

// TestShot counts how often the operation runs in a process, in all the ways in
// which testing calls the function.
func TestShot(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"-test.benchtime=1x", "-test.benchtime=100x", "-test.benchtime=30ms", "-test.benchtime=1h",
		"-test.benchtime=1x -test.count=3", "-test.benchtime=30ms -test.count=3", "-test.benchtime=30ms -test.cpu=1,2",
	} {
		for _, name := range []string{"one", "many", "skips", "fails"} {
			r := rerun(t, "^BenchmarkShot$/^"+name+"$", strings.Fields(args)...)
			if n := strings.Count(r.out, "fired"); n != 1 {
				t.Errorf("%s %s: fired %d times\n%s", name, args, n, r.out)
			}
			if fails := name == "fails"; (r.code != 0) != fails {
				t.Errorf("%s %s: status %d\n%s", name, args, r.code, r.out)
			}
			more := strings.Contains(args, "count") || strings.Contains(args, ",")
			if repeated := strings.Contains(r.out, "ran once in this process"); repeated != more && (name == "one" || name == "many") {
				t.Errorf("%s %s: repetition reported: %v\n%s", name, args, repeated, r.out)
			}
		}
	}
}

func TestShotFigures(t *testing.T) {
	benchtime(t, "1x")
	testutil.Retry(t, func(int) error { // the runtime allocates, too, now and then
		r := testing.Benchmark(func(b *testing.B) {
			SingleShot(b, func() {
				for i := range kept {
					kept[i] = make([]byte, 1000)
				}
				spin(1_000_000)
			}, Ops(len(kept)), Bytes(1000))
		})
		if mb, ns := r.Extra["MB/s"], r.Extra["ns/op"]; mb < 0.999*1e6/ns || mb > 1.001*1e6/ns {
			t.Errorf("%v MB/s at %v ns/op of 1000 bytes", mb, ns)
		}
		if r.N != 10 || r.Extra["ns/op"] < 100_000 || r.Extra["allocs/op"] != 1 || r.Extra["B/op"] != 1024 {
			return fmt.Errorf("N %d, %v", r.N, r.Extra)
		}
		return nil
	})
}
