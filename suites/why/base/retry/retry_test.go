package retry

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

var errBusy = errors.New("busy")

// work is what a call does; about 100 µs.
func work(text string) int { return len(strings.Fields(text)) }

var text = strings.Repeat("some words to count ", 2000)

func TestDo(t *testing.T) {
	p := Policy{Attempts: 3, Wait: time.Microsecond}
	calls := 0
	if err := p.Do(func(n int) error { calls++; return errBusy }); err != ErrGivenUp || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if got := Collect(feed(5), 100*time.Millisecond); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("%v", got)
	}
}

func feed(n int) <-chan int {
	c := make(chan int, n)
	for i := range n {
		c <- i
	}
	close(c)
	return c
}

// BenchmarkDo has every second call repeated once.
func BenchmarkDo(b *testing.B) {
	p := Policy{Attempts: 3, Wait: 200 * time.Microsecond}
	n := 0
	for b.Loop() {
		p.Do(func(attempt int) error {
			n += work(text)
			if attempt == 0 {
				return errBusy
			}
			return nil
		})
	}
}

// BenchmarkCollect collects what is there already.
func BenchmarkCollect(b *testing.B) {
	for b.Loop() {
		Collect(feed(1000), 100*time.Microsecond)
	}
}
