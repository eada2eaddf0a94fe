package hostile

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

func BenchmarkPanicA(b *testing.B) { leaf(b) }
func BenchmarkPanicB(b *testing.B) { panic("at once") }
func BenchmarkPanicC(b *testing.B) { leaf(b) }
func BenchmarkPanicLate(b *testing.B) { // only when it is measured
	if b.N > 1 {
		panic(fmt.Errorf("N is %d", b.N))
	}
}

func BenchmarkPanicSub(b *testing.B) {
	b.Run("ok1", leaf)
	b.Run("boom1", func(b *testing.B) { panic("first") })
	b.Run("ok2", leaf)
	b.Run("boom2", func(b *testing.B) { var m map[string]int; m["x"] = 1 })
	b.Run("ok3", leaf)
}

func BenchmarkPanicBefore(b *testing.B) {
	if b.N > 0 {
		panic("before the first")
	}
	b.Run("never", leaf)
}

func BenchmarkPanicAfter(b *testing.B) {
	b.Run("seen", leaf)
	late = true
	panic("after the last")
}

// PanicTimed prints a result although it panics: its timer was stopped before.
func BenchmarkPanicTimed(b *testing.B) {
	b.Run("ok1", leaf)
	b.Run("boom", func(b *testing.B) {
		b.StopTimer()
		b.StartTimer()
		timed = true
		panic(slow{})
	})
	b.Run("ok2", leaf)
	b.Run("ok3", func(b *testing.B) { time.Sleep(50 * time.Millisecond) })
	if timed { // and the process does not end well, however late the panic is printed
		time.Sleep(time.Hour)
	}
}

var timed bool

// slow takes its time to be printed, in which testing goes on.
type slow struct{}

func (slow) Error() string {
	time.Sleep(10 * time.Millisecond)
	return "slow"
}

func BenchmarkExitA(b *testing.B) { leaf(b) }
func BenchmarkExitB(b *testing.B) { fmt.Print("bye"); os.Exit(3) }
func BenchmarkExitC(b *testing.B) { os.Exit(0) }
func BenchmarkExitD(b *testing.B) {
	b.Run("1", leaf)
	b.Run("2", func(b *testing.B) { os.Exit(0) })
	b.Run("3", leaf)
}

// ExitMany kills more processes than anybody has patience for.
func BenchmarkExitMany(b *testing.B) {
	for i := range 10 {
		b.Run(fmt.Sprint(i), func(b *testing.B) { os.Exit(5) })
	}
	b.Run("hidden", leaf)
}

func BenchmarkHangA(b *testing.B) { leaf(b) }
func BenchmarkHangB(b *testing.B) {
	b.Run("1", leaf)
	b.Run("2", func(b *testing.B) { time.Sleep(time.Hour) })
	b.Run("3", leaf)
}
func BenchmarkHangC(b *testing.B) { leaf(b) }

// ChattyHang prints what looks like progress while it hangs.
func BenchmarkChattyHang(b *testing.B) {
	for i := 0; ; i++ {
		fmt.Printf("BenchmarkChattyHang %d\n\n", i)
		time.Sleep(time.Millisecond)
	}
}

// Fatal dies of what no recover catches.
func BenchmarkFatal(b *testing.B) { new(sync.Mutex).Unlock() }

func BenchmarkFailA(b *testing.B) { leaf(b) }
func BenchmarkFailB(b *testing.B) { b.Log("a hint"); b.Fatal("its reason") }
func BenchmarkFailC(b *testing.B) {
	b.Run("1", leaf)
	b.Run("2", func(b *testing.B) { b.Error("no good") })
	b.Run("3", func(b *testing.B) { b.FailNow() })
	b.Run("4", leaf)
}

func BenchmarkFailParent(b *testing.B) {
	b.Run("fine", leaf)
	b.Errorf("the parent's")
}

// FailExit fails below, then ends the process in an ordinary-looking way.
func BenchmarkFailExit(b *testing.B) {
	b.Run("1", func(b *testing.B) { b.Fatal("one") })
	b.Run("2", func(b *testing.B) { os.Exit(1) })
	b.Run("3", leaf)
}

func BenchmarkFailLate(b *testing.B) {
	if b.N > 1 {
		b.Fatal("at N above 1")
	}
}

// Suffix has names that end as if -procs were printed behind them.
func BenchmarkSuffix(b *testing.B) {
	b.Run("ok-2", leaf)
	b.Run("bad-2", func(b *testing.B) { b.Fatal("bad") })
	b.Run("boom-2", func(b *testing.B) { panic("boom") })
	b.Run("last-2", leaf)
}

func BenchmarkSkipA(b *testing.B) { b.Skip("not here") }
func BenchmarkSkipB(b *testing.B) {
	b.Run("1", leaf)
	b.Run("2", func(b *testing.B) { b.SkipNow() })
	b.Run("3", leaf)
}

// SkipPanic must not blame the one that was skipped.
func BenchmarkSkipPanic(b *testing.B) {
	b.Run("1", func(b *testing.B) { b.Skip() })
	late = true
	panic("after a skip")
}

func BenchmarkFlaky(b *testing.B) {
	if os.Getenv("FLAKY") != "" {
		b.Fatal("today not")
	}
	leaf(b)
}
