package load_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// A slow service answers after 20 ms.
type slow struct{}

func (slow) Kinds() []string                                  { return []string{"GET"} }
func (slow) Worker(context.Context, int) (load.Worker, error) { return slow{}, nil }
func (slow) Prepare(k uint64) int                             { return 0 }
func (slow) Do(ctx context.Context, t *load.Timer) error {
	time.Sleep(20 * time.Millisecond)
	return nil
}
func (slow) Done(err error) error { return err }
func (slow) Close() error         { return nil }

// One worker sends 100 operations a second to a service that can do 50. What the
// service takes does not change, and says nothing of it; a user waits for a
// second in the end.
func ExampleRun() {
	missed := false
	sink := func(line record.Line) error { // the lines of a record, as they come
		w, ok := line.(*record.Warn)
		missed = missed || ok && w.Code == "rate-missed"
		return nil
	}
	totals, err := load.Run(context.Background(), slow{}, load.Config{
		Schedule: load.Schedule{Rate: 100},
		Workers:  1,
		Duration: time.Second,
	}, sink)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("due:", totals.Scheduled)
	fmt.Println("half of them sent, or less:", totals.Started <= 50)
	for _, l := range totals.Latencies {
		if l.Tag == record.TagResponse {
			fmt.Println(l.Kind, "above 480ms:", l.Hist.Max() > int64(480*time.Millisecond))
		}
	}
	fmt.Println("rate missed:", missed)
	// Output:
	// due: 100
	// half of them sent, or less: true
	// GET above 480ms: true
	// rate missed: true
}

func ExampleRedact() {
	fmt.Println(load.Redact("redis.password", "hunter2"))
	fmt.Println(load.Redact("db", "postgres://me:hunter2@localhost/test"))
	// Output:
	// ***
	// postgres://me:***@localhost/test
}
