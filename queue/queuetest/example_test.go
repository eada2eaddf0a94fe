package queuetest_test

import (
	"errors"
	"fmt"

	"github.com/tarebench/tare/queue/queuetest"
)

// stack is a last-in first-out queue, which is none.
type stack struct{ vs []int64 }

func (s *stack) TryEnqueue(v int64) bool {
	if len(s.vs) == cap(s.vs) {
		return false
	}
	s.vs = append(s.vs, v)
	return true
}

func (s *stack) TryDequeue() (int64, bool) {
	if len(s.vs) == 0 {
		return 0, false
	}
	v := s.vs[len(s.vs)-1]
	s.vs = s.vs[:len(s.vs)-1]
	return v, true
}

// Checks can be run one by one, outside of a test.
func ExampleChecks() {
	c := queuetest.Config{New: func(n int) queuetest.Queue[int64] { return &stack{make([]int64, 0, n)} }}
	for _, k := range queuetest.Checks()[:3] {
		switch err := k.Run(c); {
		case errors.Is(err, queuetest.ErrSkipped):
			fmt.Println(k.Name, "skipped")
		case err != nil:
			fmt.Println(k.Name, "failed")
		default:
			fmt.Println(k.Name, "passed")
		}
	}
	// Output:
	// sequence failed
	// bounds failed
	// batches skipped
}

// A thread that publishes before it writes: the explorer finds the execution in
// which the other one reads too early.
func ExampleExploration() {
	const value, ready = 0, 1
	_, err := queuetest.Exploration{
		Init: []int{0, 0},
		Threads: []func(*queuetest.Thread){
			func(t *queuetest.Thread) {
				t.Enqueue(7, func() bool {
					t.Store(ready, 1)
					t.Store(value, 7)
					return true
				})
			},
			func(t *queuetest.Thread) {
				t.Dequeue(func() (int, bool) {
					if t.Load(ready) == 0 {
						return 0, false
					}
					return t.Load(value), true
				})
			},
		},
	}.Run()
	fmt.Println(err)
	// Output:
	// no order of the operations explains
	//      1 to    6  enqueue(7) true
	//      1 to    6                                  dequeue() 0
	//   which is possible, after
	//   thread 0: store 1, 1 = 0
	//   thread 1: load 1 = 1
	//   thread 1: load 0 = 0
	//   thread 0: store 0, 7 = 0
}
