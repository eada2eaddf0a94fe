package nats

import (
	"time"

	"github.com/tarebench/tare/internal/cluster"
)

// maxFailed is the limit of messages that are kept for another attempt.
const maxFailed = 256

// retryQueue calls a function for messages, and later again for those for which it failed.
type retryQueue struct {
	f      func(cluster.Message) error
	failed []cluster.Message
	due    time.Time // of the next attempt, if there are failed ones
}

// first calls the function for a message that just arrived.
func (q *retryQueue) first(m cluster.Message, now time.Time) {
	if q.f(m) == nil {
		return
	}
	if q.isEmpty() {
		q.due = now.Add(retryWait)
	}
	q.failed = append(q.failed, m)
}

// run calls the function for all that failed, if it is time.
func (q *retryQueue) run(now time.Time) {
	if q.isEmpty() || now.Before(q.due) {
		return
	}
	again := q.failed
	q.failed, q.due = nil, now.Add(retryWait)
	for _, m := range again {
		if q.f(m) != nil {
			q.failed = append(q.failed, m)
		}
	}
}

func (q *retryQueue) isEmpty() bool { return len(q.failed) == 0 }

// isFull reports whether no more messages should be taken: the server keeps them.
func (q *retryQueue) isFull() bool { return len(q.failed) >= maxFailed }

// wait returns the time until the next attempt, at most limit.
func (q *retryQueue) wait(limit time.Duration) time.Duration {
	if q.isEmpty() {
		return limit
	}
	return max(min(time.Until(q.due), limit), 0)
}
