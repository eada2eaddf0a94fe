// Package queuetest finds out whether a queue keeps its promises. Any queue can
// be put in that has TryEnqueue and TryDequeue; what else it can do is found by
// assertion (see [Run]).
//
//	func TestMyQueue(t *testing.T) {
//		queuetest.Run(t, queuetest.Config{
//			New:         func(n int) queuetest.Queue[int64] { return NewMyQueue[int64](n) },
//			NewPointers: func(n int) queuetest.Queue[*int64] { return NewMyQueue[*int64](n) },
//			Producers:   queuetest.Many,      // default: one
//			FalseEmpty:  queuetest.WhileBusy, // default: "empty" is always true
//		})
//	}
//
// Run it with the race detector, too, and before a release for longer:
//
//	TARE_STRESS=10m go test -timeout 0 -run TestMyQueue -race .
//
// Queues that publish late or whose indices wrap behave differently at sizes and
// positions that no program meets soon. Give Run more configurations, with
// constructors that only your tests have: a queue that publishes every 3 elements
// at capacity 4, one whose indices begin at 1<<64-20.
//
// # What is checked
//
//   - sequence: random calls of all methods by one goroutine, against a model;
//     Len, IsEmpty, Enqueued and Dequeued after each.
//   - bounds, batches, callbacks, flush: full and empty, nothing and too much,
//     limit 0, break, what an unfinished batch leaves.
//   - panics: callbacks that panic lose no element and repeat none.
//   - references: the collector can have what was taken, and what was refused.
//   - allocations: none, unless the queue says so.
//   - blocking: contexts that end, wake-ups, Close, batches that wait.
//   - linearizability: short histories of two to four goroutines, each of which
//     some order of the operations must explain (Herlihy and Wing, TOPLAS 12(3),
//     1990), as far as the queue is strict. The search is porcupine's
//     (github.com/anishathalye/porcupine).
//   - closing: the same for a queue that waits, which somebody closes meanwhile; what
//     is left is taken at the end. After Close nothing more goes in, nobody is told
//     that it is closed before it is empty, and an element whose call returned
//     without an error comes out.
//   - order, pointers: nothing is lost, comes twice or overtakes, at capacities
//     2, 8 and 64, with bursts and pauses, by all methods. A pill ends each
//     consumer, or Close; when nothing moves any more, that is the result.
//   - sizes: Len under traffic is never negative or more than fits.
//
// # What may be false
//
// A queue may say that it is full or empty when it is not so, if it says so in
// [Config]. WhileBusy excuses a failure only if another goroutine was in a call
// at the same time. Batches are one step for everybody, or with SplitBatches as
// many as they have elements, in their order; one that is cut short is not
// asked why, but a batch of 0 means what false means. A wait whose context ends is a
// failure like any other: at some moment of it the queue was full, or empty. The elements that Fill,
// Drain and All move count one by one within the call. After Flush everything is
// visible; before, all but Unflushed elements.
//
// # How it can be wrong
//
// Histories whose operations do not overlap prove nothing, and goroutines that
// are merely started hardly ever meet. So the clients of a history leave a
// barrier at which they spin, and the check counts the pairs of operations that
// overlapped. It goes on until there were enough, however long that takes on a
// busy machine, up to 90 s for each capacity; then it fails, or, on a machine
// with one processor, is skipped. It never passes for lack of evidence. To meet
// sooner, it raises GOMAXPROCS to the number of its clients while it runs, unless
// [Config] says how many there shall be.
//
// A seed repeats the plan of the goroutines and not their timing: a failure that
// took luck takes luck again. That no fault was found is no proof, and the
// checks run on one machine's memory. For the protocol behind the code there is
// [Exploration]: all executions of a small model, also under the store buffers of
// amd64.
package queuetest
