package queuetest

import (
	"errors"
	"strings"
	"testing"
)

// spsc are a producer and a consumer of n operations each.
func spsc[Q interface {
	enqueue(*Thread, int) bool
	dequeue(*Thread)
}](n int, q func() Q) []func(*Thread) {
	return []func(*Thread){
		func(t *Thread) {
			q := q()
			for v := 1; v <= n; v++ {
				q.enqueue(t, v)
			}
		},
		func(t *Thread) {
			q := q()
			for range n {
				q.dequeue(t)
			}
		},
	}
}

// mixed are threads that enqueue one element each and then dequeue one. Of three,
// the last two do only one of both: all executions of the rest are too many.
func mixed(threads int, q vyukov) (programs []func(*Thread)) {
	for i := range threads {
		programs = append(programs, func(t *Thread) {
			if threads < 3 || i < 2 {
				q.enqueue(t, 1+i)
			}
			if threads < 3 || i != 1 {
				q.dequeue(t)
			}
		})
	}
	return programs
}

func lamports(c, lazy int, f fault) func() *lamport {
	return func() *lamport { return &lamport{fault: f, capacity: c, lazy: lazy} }
}

func sequenceds(c, lazy int, f fault) func() *sequenced {
	return func() *sequenced { return &sequenced{*lamports(c, lazy, f)()} }
}

// producers are a consumer of 2 operations, a producer of 2 and one of 1.
func producers(c int, f fault) []func(*Thread) {
	q := func() *manyProducers { return &manyProducers{sequenced: *sequenceds(c, 1, f)()} }
	return []func(*Thread){
		func(t *Thread) {
			q := q()
			q.dequeue(t)
			q.dequeue(t)
		},
		func(t *Thread) {
			q := q()
			q.enqueue(t, 1)
			q.enqueue(t, 2)
		},
		func(t *Thread) {
			q := q()
			q.enqueue(t, 3)
		},
	}
}

// TestProtocols explores the protocols of package queue, and the same with
// faults. Each row says which memory and which promise it is held to.
func TestProtocols(t *testing.T) {
	for _, p := range []struct {
		name     string
		memory   Memory
		capacity int
		vyukov   bool
		full     Falsehood
		empty    Falsehood
		threads  []func(*Thread)
		says     string // of a fault
	}{
		{name: "lamport SC", capacity: 2, threads: spsc(3, lamports(2, 1, right))},
		{name: "lamport TSO", memory: TSO, capacity: 2, threads: spsc(3, lamports(2, 1, right))},
		{name: "lamport lazy", memory: TSO, capacity: 2, full: Anytime, threads: spsc(3, lamports(2, 2, right))},
		{name: "lamport lazy called strict", capacity: 2, threads: spsc(3, lamports(2, 2, right)), says: "enqueue(3) false"},
		{name: "lamport early", capacity: 2, threads: spsc(3, lamports(2, 1, early)), says: "dequeue() 0"},
		{name: "lamport unchecked", capacity: 2, threads: spsc(3, lamports(2, 1, unchecked)), says: "no order"},
		{name: "lamport clears late", capacity: 2, threads: spsc(3, lamports(2, 1, clearsLate)), says: "dequeue() 0"},
		{name: "lamport plain SC", capacity: 2, threads: spsc(3, lamports(2, 1, plain))},
		{name: "lamport plain TSO", memory: TSO, capacity: 2, threads: spsc(3, lamports(2, 1, plain)), says: "dequeue() nothing"},
		{name: "lamport plain TSO, weak", memory: TSO, capacity: 2, full: Anytime, empty: Anytime, threads: spsc(3, lamports(2, 1, plain))},

		{name: "sequenced SC", capacity: 2, threads: spsc(3, sequenceds(2, 1, right))},
		{name: "sequenced TSO", memory: TSO, capacity: 2, threads: spsc(3, sequenceds(2, 1, right))},
		{name: "sequenced lazy", memory: TSO, capacity: 4, full: Anytime, threads: spsc(3, sequenceds(4, 2, right))},
		{name: "sequenced lazy, small", memory: TSO, capacity: 2, full: Anytime, threads: spsc(3, sequenceds(2, 2, right))},
		{name: "sequenced early", capacity: 2, threads: spsc(3, sequenceds(2, 1, early)), says: "dequeue() 0"},
		{name: "sequenced unchecked", capacity: 2, threads: spsc(3, sequenceds(2, 1, unchecked)), says: "no order"},
		{name: "sequenced clears late", capacity: 2, threads: spsc(3, sequenceds(2, 1, clearsLate)), says: "dequeue() 0"},
		{name: "sequenced plain TSO", memory: TSO, capacity: 2, threads: spsc(3, sequenceds(2, 1, plain)), says: "dequeue() nothing"},
		{name: "sequenced plain TSO, weak", memory: TSO, capacity: 2, full: Anytime, empty: Anytime, threads: spsc(3, sequenceds(2, 1, plain))},

		{name: "many producers SC", capacity: 2, empty: WhileBusy, threads: producers(2, right)},
		{name: "many producers called strict", capacity: 2, threads: producers(2, right), says: "dequeue() nothing"},
		{name: "many producers unchecked", capacity: 2, empty: WhileBusy, threads: producers(2, unchecked), says: "no order"},
		{name: "many producers, lost CAS", capacity: 2, empty: WhileBusy, threads: producers(2, falselyClaim), says: "no order"},

		{name: "vyukov SC", capacity: 2, vyukov: true, full: WhileBusy, empty: WhileBusy, threads: mixed(3, vyukov{capacity: 2})},
		{name: "vyukov TSO", memory: TSO, capacity: 2, vyukov: true, full: WhileBusy, empty: WhileBusy, threads: mixed(2, vyukov{capacity: 2})},
		{name: "vyukov called strict", capacity: 2, vyukov: true, threads: mixed(3, vyukov{capacity: 2}), says: "dequeue() nothing"},
		{name: "vyukov, lost CAS", capacity: 2, vyukov: true, full: WhileBusy, empty: WhileBusy, threads: mixed(3, vyukov{falselyClaim, 2}), says: "no order"},
	} {
		t.Run(p.name, func(t *testing.T) {
			states, err := Exploration{
				Memory: p.memory, Init: emptyMemory(p.capacity, p.vyukov), Threads: p.threads,
				Capacity: p.capacity, FalseFull: p.full, FalseEmpty: p.empty,
			}.Run()
			t.Logf("%d states", states)
			wantFault(t, err, p.says)
		})
	}
}

// wantFault compares the result of an exploration with what it should find.
func wantFault(t *testing.T, err error, says string) {
	t.Helper()
	switch {
	case says == "" && err != nil:
		t.Error(err)
	case says != "" && (err == nil || !strings.Contains(err.Error(), says)):
		t.Errorf("got %v, want a fault with %q", err, says)
	case says != "":
		t.Log(err)
	}
}

// TestParking explores how a consumer goes to sleep: it says so, looks once more
// and sleeps; the producer adds and looks whether somebody sleeps. Both write and
// then read what the other writes (Dekker), so that both writes must be seen at
// once, or the wake-up is lost.
func TestParking(t *testing.T) {
	const item, sleeping, wake = 0, 1, 2
	parking := func(publish func(*Thread, int, int)) []func(*Thread) {
		return []func(*Thread){
			func(t *Thread) { // producer
				publish(t, item, 1)
				if t.Load(sleeping) == 1 {
					t.Xchg(wake, 1)
				}
			},
			func(t *Thread) { // consumer
				publish(t, sleeping, 1)
				if t.Load(item) == 0 {
					t.Await(wake, func(v int) bool { return v == 1 })
				}
			},
		}
	}
	stored := func(t *Thread, a, v int) { t.Store(a, v) }
	fenced := func(t *Thread, a, v int) { t.Store(a, v); t.Fence() }
	xchged := func(t *Thread, a, v int) { t.Xchg(a, v) }
	for _, p := range []struct {
		name    string
		memory  Memory
		publish func(*Thread, int, int)
		says    string
	}{
		{"xchg SC", SC, xchged, ""},
		{"xchg TSO", TSO, xchged, ""},
		{"fence TSO", TSO, fenced, ""},
		{"store SC", SC, stored, ""},
		{"store TSO", TSO, stored, "all threads wait"},
	} {
		t.Run(p.name, func(t *testing.T) {
			_, err := Exploration{Memory: p.memory, Init: make([]int, 3), Threads: parking(p.publish)}.Run()
			wantFault(t, err, p.says)
		})
	}
}

// TestExploration checks the explorer itself with what is known about memory:
// the outcomes of litmus tests, and when it gives up.
func TestExploration(t *testing.T) {
	both0 := func(m Memory) bool {
		found := [2]map[int]bool{{}, {}}
		var at [2]int
		var together bool
		programs := make([]func(*Thread), 2)
		for i := range programs {
			programs[i] = func(t *Thread) {
				t.Store(i, 1)
				at[i] = t.Load(1 - i)
				found[i][at[i]] = true
				t.Store(2+i, 1+at[i]) // leave the outcome in memory
			}
		}
		programs = append(programs, func(t *Thread) {
			a := t.Await(2, func(v int) bool { return v != 0 })
			b := t.Await(3, func(v int) bool { return v != 0 })
			together = together || a == 1 && b == 1
		})
		if _, err := (Exploration{Memory: m, Init: make([]int, 4), Threads: programs}).Run(); err != nil {
			t.Fatal(err)
		}
		if len(found[0]) != 2 || len(found[1]) != 2 {
			t.Errorf("memory %d: the threads read %v, want 0 and 1 each", m, found)
		}
		return together
	}
	if both0(SC) {
		t.Error("store buffering: both threads read 0 under sequential consistency")
	}
	if !both0(TSO) {
		t.Error("store buffering: the threads never both read 0 under TSO")
	}
	_, err := Exploration{Init: emptyMemory(2, false), MaxStates: 10, Threads: spsc(3, lamports(2, 1, right))}.Run()
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("an exploration of more than 10 states returned %v", err)
	}
}
