package queues

import (
	"errors"
	"strings"
	"testing"
	"time"

	"code.hybscloud.com/lfq"
	"github.com/tarebench/tare/queue/queuetest"
)

// byPointer is a queue of lfq, which takes pointers and returns errors.
type byPointer struct {
	q interface {
		Enqueue(*int64) error
		Dequeue() (int64, error)
		Cap() int
	}
}

func (b byPointer) Cap() int { return b.q.Cap() }

func (b byPointer) TryEnqueue(v int64) bool { return b.q.Enqueue(&v) == nil }

func (b byPointer) TryDequeue() (int64, bool) {
	v, err := b.q.Dequeue()
	return v, err == nil
}

// TestPublishedFault has the kit find out about two published queues that lose
// elements, already with one producer and one consumer: the consumer may pass a
// slot that the producer has looked at and not yet filled. That they may fail at
// any time is granted.
func TestPublishedFault(t *testing.T) {
	for name, q := range map[string]func(int) queuetest.Queue[int64]{
		"lfq.MPMC": func(n int) queuetest.Queue[int64] { return byPointer{lfq.NewMPMC[int64](n)} },
		"lfq.SPMC": func(n int) queuetest.Queue[int64] { return byPointer{lfq.NewSPMC[int64](n)} },
	} {
		t.Run(name, func(t *testing.T) {
			c := queuetest.Config{
				New: q, SpuriousFull: queuetest.Anytime, SpuriousEmpty: queuetest.Anytime,
				Budget: time.Minute, // ends at the first fault
				Dir:    t.TempDir(),
			}
			for _, k := range queuetest.Checks() {
				says, run := map[string]string{
					"linearizability": "cannot be explained", "order": "of producer 0",
				}[k.Name]
				if !run {
					continue
				}
				err := k.Run(c)
				if err == nil || errors.Is(err, queuetest.ErrSkipped) || !strings.Contains(err.Error(), says) {
					t.Errorf("%s found %v, want something with %q", k.Name, err, says)
				}
				t.Log(err) // the evidence
			}
		})
	}
}
