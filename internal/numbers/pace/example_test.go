package pace_test

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/numbers/pace"
)

// One worker that needs 4 ms per operation is asked for 1000 in a second.
// Service time never changes, and says nothing of it; response time counts from
// the due time and grows by 3 ms with each operation.
func Example() {
	s, err := pace.New(pace.Config{Rate: 1000, Ops: 5000})
	if err != nil {
		fmt.Println(err)
		return
	}
	var clock pace.Clock = new(pace.Fake)
	worst := time.Duration(0)
	backlog := 0
	for {
		due, ok := s.Next()
		if !ok {
			break
		}
		now, waited, err := clock.Wait(int64(due))
		if err != nil {
			fmt.Println(err)
			return
		}
		if !waited && now > int64(due) {
			backlog++
		}
		clock.(*pace.Fake).Work(int64(4 * time.Millisecond)) // the operation
		worst = max(worst, time.Duration(clock.Now())-due)
	}
	fmt.Println("worst response", worst)
	fmt.Println(backlog, "of", s.Claimed(), "began late")
	// Output:
	// worst response 15.001s
	// 4999 of 5000 began late
}

func ExampleConfig() {
	s, err := pace.New(pace.Config{Rate: 3, Ops: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		k, due, ok := s.Claim()
		if !ok {
			break
		}
		fmt.Println(k, due)
	}
	_, err = pace.New(pace.Config{Rate: -1})
	fmt.Println(err)
	// Output:
	// 0 0s
	// 1 333.333333ms
	// 2 666.666666ms
	// 3 1s
	// pace: rate -1/s: must be above 0
}
