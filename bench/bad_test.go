package bench

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

func loop(w *Worker) {
	for w.Next() {
	}
}

// bad are benchmarks that are wrong, and what they must fail with. They all run
// in one process, so each shows that the one before failed alone.
var bad = []struct {
	name string
	f    func(b *testing.B)
	want string
}{
	{"good", func(b *testing.B) { Run(b, loop) }, ""},
	{"no-role", func(b *testing.B) { Group(b) }, "Group: has no Role"},
	{"nil-part", func(b *testing.B) { Run(b, loop, nil) }, "a part is nil"},
	{"nil-body", func(b *testing.B) { Group(b, Role{Name: "a", Workers: 1}) }, "role a: has no Body"},
	{"nil-body-run", func(b *testing.B) { Run(b, nil) }, "has no Body"},
	{"nil-body-of", func(b *testing.B) { Group(b, RoleOf[int]{Name: "a", Workers: 1}) }, "role a: has no Body"},
	{"no-workers", func(b *testing.B) { Group(b, Role{Name: "a", Body: loop}) }, "role a: has 0 Workers, needs at least 1"},
	{"minus-workers", func(b *testing.B) {
		Group(b, RoleOf[int]{Name: "a", Workers: -1, Body: func(w *Worker, _ int) { loop(w) }})
	}, "has -1 Workers"},
	{"all-at-once", func(b *testing.B) { Group(b, Role{Name: "a b"}, Ops(0), Bytes(-1)) },
		`Ops(0): must be at least 1; Bytes(-1): must be at least 1; role "a b": a name has only letters, digits, _, - and .; role a b: has 0 Workers`},
	{"same-name", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 1, Body: loop}, Role{Name: "a", Workers: 1, Body: loop})
	}, `two roles are called "a"`},
	{"no-name", func(b *testing.B) { Group(b, Role{Workers: 1, Body: loop}, Role{Name: "a", Workers: 1, Body: loop}) }, "a role has no name"},
	{"role-of-run", func(b *testing.B) { Run(b, loop, Role{}) }, "a Role is a part of Group, not of Run"},
	{"option-elsewhere", func(b *testing.B) { Group(b, Role{Workers: 1, Body: loop}, Workers(2)) }, "Workers has no meaning in Group"},
	{"option-twice", func(b *testing.B) { Run(b, loop, Ops(1), Ops(2)) }, "Ops is given twice"},
	{"two-modes", func(b *testing.B) { Run(b, loop, Average(), Throughput()) }, "exclude each other"},
	{"every-none", func(b *testing.B) { Sample(b, loop, SampleEvery(0)) }, "SampleEvery(0)"},
	{"no-grace", func(b *testing.B) { Run(b, loop, Grace(0)) }, "Grace(0s)"},
	{"batch-empty", func(b *testing.B) { Run(b, loop, Batch{Every: 3}) }, "neither Setup nor Teardown"},
	{"batch-none", func(b *testing.B) { Run(b, loop, Batch{Setup: func(*Worker) error { return nil }}) }, "Every is 0"},
	{"rate-zero", func(b *testing.B) { Rate(b, 0, loop) }, "rate 0/s: must be above 0"},

	{"setup", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 1, Body: loop, Setup: func(*Worker) error { return errors.New("no disk") }}, Role{Name: "b", Workers: 2, Body: loop})
	}, "role a worker 0: setup: no disk"},
	{"next-elsewhere", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 1, Body: func(w *Worker) {
			var both sync.WaitGroup
			both.Go(func() { loop(w) })
			loop(w)
			both.Wait()
		}})
	}, "role a worker 0: Next was called by a goroutine other than its Body's"},
	{"next-elsewhere-rate", func(b *testing.B) {
		Rate(b, 1000, func(w *Worker) {
			var one sync.WaitGroup
			one.Go(func() { loop(w) })
			one.Wait()
		})
	}, "worker 0: Next was called by a goroutine other than its Body's"},
	{"stop-timer", func(b *testing.B) {
		Run(b, func(w *Worker) {
			for w.Next() {
				b.StopTimer()
				time.Sleep(time.Microsecond)
				b.StartTimer()
			}
		})
	}, "Run: StopTimer or ResetTimer was called while the workers ran"},
	{"reset-timer", func(b *testing.B) {
		Run(b, func(w *Worker) {
			for w.Next() {
				b.ResetTimer()
			}
		})
	}, "Run: StopTimer or ResetTimer was called while the workers ran"},
	{"nil-single-shot", func(b *testing.B) { SingleShot(b, nil) }, "SingleShot: the operation is nil"},
	{"nil-create", func(b *testing.B) { Trial[int](b, nil, nil) }, "Trial: create is nil"},
	{"nil-params", func(b *testing.B) { Params[struct{ N int }](b, nil, nil, P("n", 1)) }, "Params: f is nil"},
	{"setup-panics", func(b *testing.B) {
		Group(b, Role{Workers: 1, Body: loop, Setup: func(*Worker) error { panic("ouch") }})
	}, "worker 0: setup: panic: ouch (bad_test.go:"},
	{"setup-next", func(b *testing.B) {
		Group(b, Role{Workers: 1, Body: loop, Setup: func(w *Worker) error { w.Next(); return nil }})
	}, "panic: bench: Next may be called only in the Body of a role (bad_test.go:"},
	{"teardown", func(b *testing.B) {
		Group(b, Role{Workers: 1, Body: loop, Teardown: func(*Worker) error { return errors.New("no disk") }})
	}, "worker 0: teardown: no disk"},
	{"batch-setup", func(b *testing.B) {
		Run(b, loop, Batch{Every: 3, Setup: func(*Worker) error { return errors.New("no disk") }})
	}, "worker 0: setup of a batch: no disk"},
	{"batch-teardown", func(b *testing.B) {
		Run(b, loop, Batch{Every: 3, Teardown: func(*Worker) error { return errors.New("no disk") }})
	}, "worker 0: teardown of a batch: no disk"},

	{"panic", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 2, Body: loop}, Role{Name: "b", Workers: 2, Body: func(w *Worker) {
			for w.Next() {
				if w.Index() == 1 {
					panic("ouch")
				}
			}
		}})
	}, "role b worker 1: panic: ouch (bad_test.go:"},
	{"panic-index", func(b *testing.B) {
		Run(b, func(w *Worker) {
			var xs []int
			for w.Next() {
				xs[w.Index()]++
			}
		})
	}, "worker 0: panic: runtime error: index out of range [0] with length 0 (bad_test.go:"},
	{"failnow", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				b.FailNow()
			}
		}})
	}, "role a worker 0: ended its goroutine"},
	{"skip", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 1, Setup: func(*Worker) error { b.SkipNow(); return nil }, Body: loop})
	}, "role a worker 0: setup: ended its goroutine"},
	{"never-asks", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 2, Body: func(w *Worker) {
			if w.Index() == 0 {
				loop(w)
			}
		}})
	}, "role a worker 1: the body returned without calling Next"},
	{"returns-early", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 1, Body: loop}, Role{Name: "b", Workers: 1, Body: func(w *Worker) {
			for i := 0; i < 10 && w.Next(); i++ {
			}
		}})
	}, "role b worker 0: the body returned before the window closed"},
	{"hangs", func(b *testing.B) {
		Group(b, Grace(100*time.Millisecond), Role{Name: "a", Workers: 2, Body: func(w *Worker) {
			for w.Next() {
				if w.Index() == 1 {
					hang()
				}
			}
		}})
	}, "role a worker 1 did not return within 100ms after the window closed (chan receive, in bench.hang (bad_test.go:"},
	{"hangs-after", func(b *testing.B) {
		Run(b, func(w *Worker) {
			loop(w)
			hang()
		}, Grace(100*time.Millisecond))
	}, "worker 0 did not return within 100ms after the window closed (chan receive, in bench.hang (bad_test.go:"},
	{"nothing-done", func(b *testing.B) {
		if readFlags().count > 0 {
			b.Skip("the window would wait for the operation, and that for the window")
		}
		Run(b, func(w *Worker) {
			for w.Next() {
				<-w.Done()
				return
			}
		})
	}, "no operation was completed in the window"},
	{"counter-name", func(b *testing.B) { Run(b, func(w *Worker) { w.Counter("a/b"); loop(w) }) }, "panic: bench: Counter: a name has only"},
	{"ops-late", func(b *testing.B) {
		Run(b, func(w *Worker) {
			for w.Next() {
				w.SetOps(2)
			}
		})
	}, "SetOps: must be called before Next"},

	{"twice", func(b *testing.B) { Run(b, loop); Run(b, loop) }, "Run is the second measuring call in one benchmark function"},
	{"in-loop", func(b *testing.B) {
		for b.Loop() {
			Run(b, loop)
		}
	}, "use either Run or b.Loop"},
	{"before-loop", func(b *testing.B) {
		Run(b, loop)
		for b.Loop() {
		}
	}, "b.Loop after Run in one benchmark function"},
	{"after-loop", func(b *testing.B) {
		for b.Loop() {
		}
		Run(b, loop)
	}, "use either Run or b.Loop"},
	{"nested", func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				Run(b, loop)
			}
		}})
	}, "Run within the body of another benchmark of this package"},
	{"nested-sub", func(b *testing.B) {
		var once sync.Once
		Group(b, Role{Name: "a", Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				once.Do(func() { b.Run("inner", func(b *testing.B) { Run(b, loop) }) })
			}
		}})
	}, ""}, // its inner one fails, see the test
	{"shot-nil", func(b *testing.B) { SingleShot(b, nil) }, "SingleShot: the operation is nil"},
	{"shot-panics", func(b *testing.B) { SingleShot(b, func() { panic("ouch") }) }, "SingleShot: panic: ouch (bad_test.go:"},
	{"shot-nested", func(b *testing.B) { SingleShot(b, func() { Run(b, loop) }) }, "Run within the body of another"},
	{"trial", func(b *testing.B) {
		Trial(b, func() (int, error) { return 0, errors.New("no disk") }, nil)
	}, "Trial: no disk"},
	{"params", func(b *testing.B) {
		Params(b, nil, func(*testing.B, struct{ N int }) {})
	}, `Params: parameter "n" has no values`},
	{"last", func(b *testing.B) { Run(b, loop) }, ""},
}

// timed are those that may be good where a number of operations ends the window,
// since others may have done them all.
var timed = map[string]bool{"nothing-done": true, "returns-early": true, "panic": true, "hangs": true}

func hang() { <-make(chan int) }

func BenchmarkBad(b *testing.B) {
	helper(b)
	for _, x := range bad {
		b.Run(x.name, x.f)
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	for _, benchtime := range []string{"5ms", "1x", "100x"} {
		// A worker that has no processor for a window of 5 ms, or for the grace, is too late for what it should do.
		testutil.Retry(t, func(int) error {
			r := rerun(t, "^BenchmarkBad$", "-test.benchtime="+benchtime)
			if wrong := r.wrongOfBad(benchtime); len(wrong) > 0 {
				return fmt.Errorf("%s:\n%s\n%s", benchtime, strings.Join(wrong, "\n"), r.out)
			}
			return nil
		})
	}
}

// wrongOfBad is what is not as the table of bad benchmarks has it.
func (r ran) wrongOfBad(benchtime string) (wrong []string) {
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if r.code != 1 {
		add("status %d", r.code)
	}
	failed := r.failures()
	for _, x := range bad {
		got, did := failed["BenchmarkBad/"+x.name]
		switch {
		case timed[x.name] && benchtime != "5ms":
		case x.want != "" && !strings.Contains(got, x.want):
			add("%s:\n got %q\nwant %q", x.name, got, x.want)
		case x.want == "" && did && x.name != "nested-sub":
			add("%s failed: %s", x.name, got)
		case x.want == "" && x.name != "nested-sub" && len(r.results("BenchmarkBad/"+x.name)) != 1:
			add("%s has no result", x.name)
		}
	}
	if got := failed["BenchmarkBad/nested-sub/inner"]; !strings.Contains(got, "Run within the body of another") {
		add("a sub-benchmark of a body failed with %q", got)
	}
	return wrong
}
