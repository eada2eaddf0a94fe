package fork

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// describe is a Found as a line: its name, and state and reason if it failed.
func describe(f Discovered) string {
	if f.Failed == nil {
		return f.Name
	}
	return fmt.Sprintf("%s %s: %s", f.Name, f.Failed.State, lineNumber.ReplaceAllString(f.Failed.Why, ".go:"))
}

var lineNumber = regexp.MustCompile(`\.go:[0-9]+:`)

// TestDiscover: whatever some benchmarks do, the others are found, and those
// that do it with what they did.
func TestDiscover(t *testing.T) {
	for _, test := range []struct {
		bench, skip string
		want        []string
	}{
		{"^BenchmarkPanic[ABC]$", "", []string{"PanicA", "PanicB failed: panic: at once", "PanicC"}},
		{"Panic(A|Sub|Before|After)$", "", []string{
			"PanicA",
			"PanicSub/ok1", "PanicSub/boom1 failed: panic: first", "PanicSub/ok2", "PanicSub/boom2 failed: panic: assignment to entry in nil map", "PanicSub/ok3",
			"PanicBefore failed: panic: before the first",
			"PanicAfter/seen", "PanicAfter failed: panic: after the last",
		}},
		{"PanicTimed|PanicA$", "", []string{"PanicA", "PanicTimed/ok1", "PanicTimed/boom failed: panic: slow", "PanicTimed/ok2", "PanicTimed/ok3"}},
		{"PanicLate", "", []string{"PanicLate"}}, // one operation goes well
		{"PanicSub/ok", "", []string{"PanicSub/ok1", "PanicSub/ok2", "PanicSub/ok3"}},
		{"^BenchmarkPanic(A$|Sub)", "PanicSub/boom2", []string{"PanicA", "PanicSub/ok1", "PanicSub/boom1 failed: panic: first", "PanicSub/ok2", "PanicSub/ok3"}},
		{"ExitMany/[5-9]|ExitMany/hidden", "", []string{
			"ExitMany/5 failed: ended with status 5", "ExitMany/6 failed: ended with status 5", "ExitMany/7 failed: ended with status 5",
			"ExitMany/8 failed: ended with status 5", "ExitMany/9 failed: ended with status 5", "ExitMany/hidden",
		}},
		{"ExitMany", "", []string{
			"ExitMany/0 failed: ended with status 5", "ExitMany/1 failed: ended with status 5", "ExitMany/2 failed: ended with status 5", "ExitMany/3 failed: ended with status 5",
			"ExitMany/4 failed: ended with status 5", "ExitMany/5 failed: ended with status 5", "ExitMany/6 failed: ended with status 5", "ExitMany/7 failed: ended with status 5",
			"ExitMany failed: 8 of its sub-benchmarks ended the process; those after them were not found",
		}},
		{"^BenchmarkExit.$", "", []string{
			"ExitA", "ExitB failed: ended with status 3", "ExitC failed: panic: unexpected call to os.Exit(0) during test",
			"ExitD/1", "ExitD/2 failed: panic: unexpected call to os.Exit(0) during test", "ExitD/3",
		}},
		{"^BenchmarkHang", "", []string{"HangA", "HangB/1", "HangB/2 timeout: one operation did not end in time", "HangB/3", "HangC"}},
		{"ChattyHang", "", []string{"ChattyHang timeout: one operation did not end in time"}},
		{"Fatal|FailA", "", []string{"Fatal failed: fatal error: sync: unlock of unlocked mutex", "FailA"}},
		{"^BenchmarkFail[ABC]$", "", []string{
			"FailA", "FailB failed: the benchmark failed: die_test.go: its reason",
			"FailC/1", "FailC/2 failed: the benchmark failed: die_test.go: no good", "FailC/3 failed: the benchmark failed", "FailC/4",
		}},
		{"FailParent", "", []string{"FailParent/fine", "FailParent failed: the benchmark failed: die_test.go: the parent's"}},
		{"FailExit", "", []string{"FailExit/1 failed: the benchmark failed: die_test.go: one", "FailExit/2 failed: ended with status 1", "FailExit/3"}},
		{"FailLate", "", []string{"FailLate"}},
		{"Suffix", "", []string{
			"Suffix/ok-2", "Suffix/bad-2 failed: the benchmark failed: die_test.go: bad", "Suffix/boom-2 failed: panic: boom", "Suffix/last-2",
		}},
		{"Skip[AB]$", "", []string{"SkipB/1", "SkipB/3"}},
		{"SkipPanic", "", []string{"SkipPanic failed: panic: after a skip"}},
		{"Dots|Talk", "", []string{"Dots/1", "Dots/2", "Dots/Benchmark3", "Talk"}},
		{"Talk|PanicB$", "", []string{"PanicB failed: panic: at once", "Talk"}},
		{"NoSuch", "", nil},
	} {
		t.Run(test.bench, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(test.bench, "Hang") {
				testutil.Retry(t, func(n int) error { // a busy machine takes long to start a process
					return discoveredIn(t, test.bench, test.skip, test.want, 500*time.Millisecond<<n)
				})
			} else if err := discoveredIn(t, test.bench, test.skip, test.want, time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
}

// discoveredIn compares what is found, if an operation may take so long, with what there is.
func discoveredIn(t *testing.T, bench, skip string, want []string, limit time.Duration) error {
	t.Helper()
	h := newHostile(t)
	var got []string
	for _, f := range h.discover(t, Selection{Bench: bench, Skip: skip, Procs: 2, OperationTimeout: limit}) {
		got = append(got, strings.ReplaceAll(describe(f), "within "+limit.String(), "in time"))
		if f.Failed != nil && (f.Failed.Bin != 3 || f.Failed.Purpose != record.PurposeDiscovery || f.Failed.Wall <= 0 || f.Failed.ID == 0) {
			t.Errorf("%s: %+v", f.Name, f.Failed)
		}
		if ns, ok := f.V.Get("ns/op"); f.Failed == nil && (!ok || ns < 0) {
			t.Errorf("%s: values %v", f.Name, f.V)
		}
	}
	if h.wrote != nil {
		t.Errorf("wrote %v", h.wrote)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	return nil
}

// TestDiscoverFlags: if a binary does not know a flag, the error does not say that its TestMain failed.
func TestDiscoverFlags(t *testing.T) {
	h := newHostile(t)
	got := h.discover(t, Selection{Bench: "FailA", Procs: 1, OperationTimeout: 10 * time.Second, Args: []string{"-elems", "5", "--password", "hunter2"}})
	const want = "(test binary) failed: the test binary refused its flags: flag provided but not defined: -elems; flags behind -- (-elems 5 --password ***) go to every test binary: leave out those that it does not define"
	if len(got) != 1 || describe(got[0]) != want || got[0].Failed.Tail != "" {
		t.Errorf("%+v, want %s", got, want)
	}
}

// TestDiscoverMain: a TestMain can hide all benchmarks, or only spoil the exit
// status.
func TestDiscoverMain(t *testing.T) {
	for _, test := range []struct {
		main, bench string
		want        []string
	}{
		{"exit", "FailA", []string{"TestMain failed: ended with status 4"}},
		{"panic", "FailA", []string{"TestMain failed: panic: no database"}},
		{"swallow", "Fail[AB]$", []string{"FailA", "FailB failed: the benchmark failed: die_test.go: its reason"}},
		{"late", "Fail[AB]$", []string{"FailA", "FailB failed: the benchmark failed: die_test.go: its reason"}},
		{"late", "FailA", []string{"FailA"}},
	} {
		h := newHostile(t)
		var got []string
		for _, f := range h.discover(t, Selection{Bench: test.bench, Procs: 1, OperationTimeout: 10 * time.Second, Environ: append(os.Environ(), "HOSTILE_MAIN="+test.main)}) {
			got = append(got, describe(f))
			if test.main == "exit" && f.Failed.Tail != "no database" {
				t.Errorf("tail %q", f.Failed.Tail)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: found %q, want %q", test.main, test.bench, got, test.want)
		}
	}
}

// TestDiscoverInterrupted: an end of the context ends discovery, with its cause.
func TestDiscoverInterrupted(t *testing.T) {
	h := newHostile(t)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(cause) })
	if found, err := h.Discover(ctx, h.bin, world.bin, Selection{Bench: "Hang", Procs: 1}); !errors.Is(err, cause) {
		t.Errorf("found %v, error %v", found, err)
	}
}

// TestDiscoverWall: the wall time of an operation includes time with the timer stopped.
func TestDiscoverWall(t *testing.T) {
	h := newHostile(t)
	testutil.Retry(t, func(int) error {
		found := h.discover(t, Selection{Bench: "FailA|Stopped", Procs: 1})
		if len(found) != 2 || found[0].Wall <= 0 {
			t.Fatalf("%+v", found)
		}
		if found[1].Wall < 5*time.Millisecond { // of 30, if the result before was read late; later still, and both came at once
			return fmt.Errorf("%+v", found[1])
		}
		return nil
	})
}

func TestDiscoverMasks(t *testing.T) {
	h := newHostile(t)
	h.Mask = func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }
	for _, f := range h.discover(t, Selection{Bench: "Secret", Procs: 1}) {
		if strings.Contains(f.Failed.Why+f.Failed.Tail, "hunter2") || !strings.Contains(f.Failed.Why, "***") || !strings.Contains(f.Failed.Tail, "***") {
			t.Errorf("why %q, tail %q", f.Failed.Why, f.Failed.Tail)
		}
	}
}

func TestNoBinary(t *testing.T) {
	h := newHostile(t)
	if _, err := h.Discover(t.Context(), h.bin, "/no/such/binary", Selection{Bench: "."}); err == nil {
		t.Error("a binary that is not there was run")
	}
	if _, err := h.Run(t.Context(), Spec{Case: &record.Case{Name: "X"}, Bin: h.bin, Path: "/no/such/binary"}); err == nil {
		t.Error("a binary that is not there was run")
	}
}
