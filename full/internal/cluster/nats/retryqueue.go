package nats

import (
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// maxFailed is the limit of messages that are kept for another attempt.
const maxFailed = 256

// retryQueue calls a function for messages, and retryWait later again for each for which it failed.
type retryQueue struct {
	f      func(cluster.Message) error
	failed []failedMessage // in the order in which they are due
}

type failedMessage struct {
	cluster.Message
	due time.Time // of the next attempt
}

// first calls the function for a message that just arrived.
func (q *retryQueue) first(m cluster.Message, now time.Time) {
	if q.f(m) != nil {
		q.failed = append(q.failed, failedMessage{m, now.Add(retryWait)})
	}
}

// run calls the function for all whose time it is.
func (q *retryQueue) run(now time.Time) {
	for range len(q.failed) {
		m := q.failed[0]
		if now.Before(m.due) {
			return
		}
		q.failed = q.failed[1:]
		q.first(m.Message, now)
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
	return max(min(time.Until(q.failed[0].due), limit), 0)
}
