package sample

import "time"

// AnswerFor sets how long a server may take to answer, beyond the requested duration.
// It returns what it was before.
func AnswerFor(d time.Duration) time.Duration {
	was := answerGrace
	answerGrace = d
	return was
}
