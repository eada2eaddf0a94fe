package queue_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tarebench/tare/queue"
)

func TestCapacity(t *testing.T) {
	for asked, want := range map[int]int{1: 2, 2: 2, 3: 4, 4: 4, 5: 8, 1000: 1024, 1024: 1024, 1025: 2048} {
		for name, got := range map[string]int{
			"SPSC": queue.NewSPSC[int](asked).Cap(), "MPSC": queue.NewMPSC[int](asked).Cap(),
			"SPMC": queue.NewSPMC[int](asked).Cap(), "MPMC": queue.NewMPMC[int](asked).Cap(),
			"GrowableSPSC": queue.NewGrowableSPSC[int](1, asked).Cap(),
		} {
			if got != want {
				t.Errorf("New%s(%d).Cap() = %d, want %d", name, asked, got, want)
			}
		}
	}
}

func TestBadCapacityPanics(t *testing.T) {
	for _, n := range []int{0, -1, 1<<30 + 1} {
		for name, f := range map[string]func(){
			"NewSPSC": func() { queue.NewSPSC[int](n) }, "NewMPSC": func() { queue.NewMPSC[int](n) },
			"NewSPMC": func() { queue.NewSPMC[int](n) }, "NewMPMC": func() { queue.NewMPMC[int](n) },
			"NewGrowableSPSC": func() { queue.NewGrowableSPSC[int](2, n) },
		} {
			want := fmt.Sprintf("queue: %s: capacity %d is out of range, want 1 to 1073741824", name, n)
			if got := panicOf(f); got != want {
				t.Errorf("%s(%d) panics with %v, want %q", name, n, got, want)
			}
		}
	}
	if got := panicOf(func() { queue.NewGrowableSPSC[int](16, 8) }); got != "queue: NewGrowableSPSC: max 8 is less than initial 16" {
		t.Errorf("NewGrowableSPSC(16, 8) panics with %v", got)
	}
	if got := panicOf(func() { queue.NewSPSC[int](2).Buffered(0) }); got != "queue: Buffered: every 0 elements, want 1 or more" {
		t.Errorf("Buffered(0) panics with %v", got)
	}
}

// TestNilCallbackPanics also when there is nothing to call it for.
func TestNilCallbackPanics(t *testing.T) {
	for name, q := range all() {
		if got := panicOf(func() { q.Drain(1, nil) }); got != "queue: Drain: nil function" {
			t.Errorf("%s: Drain(1, nil) panics with %v", name, got)
		}
		if f, ok := q.(interface{ Fill(int, func() int) int }); ok {
			if got := panicOf(func() { f.Fill(1, nil) }); got != "queue: Fill: nil function" {
				t.Errorf("%s: Fill(1, nil) panics with %v", name, got)
			}
		}
	}
}

// drainer is what all types have besides the least.
type drainer interface {
	queue.Queue[int]
	Drain(int, func(int)) int
	TryEnqueueBatch([]int) int
	TryDequeueBatch([]int) int
	Len() int
}

func all() map[string]drainer {
	return map[string]drainer{
		"SPSC": queue.NewSPSC[int](8), "GrowableSPSC": queue.NewGrowableSPSC[int](2, 8),
		"UnboundedSPSC": queue.NewUnboundedSPSC[int](), "MPSC": queue.NewMPSC[int](8),
		"LinkedMPSC": queue.NewLinkedMPSC[int](), "UnboundedMPSC": queue.NewUnboundedMPSC[int](),
		"SPMC": queue.NewSPMC[int](8), "MPMC": queue.NewMPMC[int](8),
		"UnboundedMPMC": queue.NewUnboundedMPMC[int](),
	}
}

// TestVetFindsCopies runs go vet on a package that copies each type.
func TestVetFindsCopies(t *testing.T) {
	if _, err := os.Stat("testdata/copied/copied.go"); err != nil { // also has the test cache know the file
		t.Fatal(err)
	}
	out, err := exec.Command("go", "vet", "-copylocks", "./testdata/copied").CombinedOutput()
	if err == nil {
		t.Fatalf("go vet is content:\n%s", out)
	}
	for _, name := range []string{
		"SPSC", "GrowableSPSC", "UnboundedSPSC", "MPSC", "LinkedMPSC", "UnboundedMPSC", "SPMC", "MPMC", "UnboundedMPMC",
		"BufferedProducer", "BufferedConsumer", "Blocking",
	} {
		if !strings.Contains(string(out), "queue."+name+"[int] contains") {
			t.Errorf("go vet does not report a copy of %s:\n%s", name, out)
		}
	}
}
