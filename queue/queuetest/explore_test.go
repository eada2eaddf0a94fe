package queuetest

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestProtocols explores the protocols of package queue, and the same with faults.
// An exploration that has seen little proves little, so that each must see a number
// of states and meet the situations that its row names.
func TestProtocols(t *testing.T) {
	for _, p := range protocols() {
		for name, memory := range map[string]Memory{"SC": SC, "TSO": TSO} {
			t.Run(p.name+"/"+name, func(t *testing.T) {
				met := map[string]bool{}
				e := p.explore(right, met)
				e.Memory, e.MaxStates = memory, 400_000
				states, err := e.Run()
				t.Logf("%d states", states)
				if err != nil {
					t.Error(err)
				}
				if states < 300 {
					t.Errorf("only %d states were seen", states)
				}
				for _, situation := range p.meets {
					if !met[situation] {
						t.Errorf("no execution %s", situation)
					}
				}
			})
			for f, says := range p.faults[memory] {
				t.Run(p.name+"/"+name+"/"+string(f), func(t *testing.T) {
					e := p.explore(f, map[string]bool{})
					e.Memory, e.MaxStates = memory, 400_000
					states, err := e.Run()
					t.Logf("%d states", states)
					wantFault(t, err, says)
				})
			}
		}
	}
}

// wantFault compares the result of an exploration with what it should find.
func wantFault(t *testing.T, err error, says string) {
	t.Helper()
	switch {
	case says == "" && err != nil:
		t.Error(err)
	case says != "" && (err == nil || !slices.ContainsFunc(strings.Split(says, "|"), func(w string) bool { return strings.Contains(err.Error(), w) })):
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
	for says, program := range map[string]func(*Thread){
		"thread 0: not so: 1 is 2": func(t *Thread) { t.Load(0); t.Assert(false, "1 is 2") },
		"thread 0 goes on for ever": func(t *Thread) {
			for t.Load(0) == 0 {
			}
		},
		"all threads wait": func(t *Thread) { t.Await(0, func(v int) bool { return v == 1 }) },
	} {
		states, err := Exploration{Init: []int{0}, Threads: []func(*Thread){program}}.Run()
		if states == 0 {
			t.Errorf("no state was seen before %v", err)
		}
		wantFault(t, err, says)
	}
	e := exploreLamport(1, Never)(right, nil)
	e.MaxStates = 10
	_, err := e.Run()
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("an exploration of more than 10 states returned %v", err)
	}
}
