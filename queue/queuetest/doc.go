// Package queuetest checks that a queue is correct. It tests any queue that has
// TryEnqueue and TryDequeue, and finds its other methods by assertion (see [Run]).
//
//	func TestMyQueue(t *testing.T) {
//		queuetest.Run(t, queuetest.Config{
//			New:           func(n int) queuetest.Queue[int64] { return NewMyQueue[int64](n) },
//			NewPointers:   func(n int) queuetest.Queue[*int64] { return NewMyQueue[*int64](n) },
//			Producers:     queuetest.Many,      // default: one
//			SpuriousEmpty: queuetest.WhileBusy, // default: a failure means empty
//		})
//	}
//
// Run it with the race detector, too, and before a release for longer:
//
//	TARE_STRESS=10m go test -timeout 0 -run TestMyQueue -race .
//
// Queues that publish late, or whose indices overflow, behave differently at sizes
// and positions that programs rarely reach. Test them with more configurations,
// whose constructors only your tests have: a queue that publishes every 3 elements
// at capacity 4, or one whose indices begin at 1<<64-20.
//
// # Checks
//
//   - sequence: random calls of all methods by one goroutine, against a model;
//     Len, IsEmpty, Enqueued and Dequeued after each.
//   - bounds, batches, callbacks, flush: full and empty queues, empty and too large
//     batches, limit 0, break, and what an unfinished batch leaves unchanged.
//   - panics: callbacks that panic neither lose nor repeat an element.
//   - references: elements that were taken or refused can be garbage collected.
//   - allocations: none, unless Config.Allocates is set.
//   - blocking: contexts that end, wake-ups, Close, batches that wait.
//   - linearizability: short histories of two to four goroutines. Some order of
//     the operations must explain each history (Herlihy and Wing, TOPLAS 12(3),
//     1990), with the spurious failures that Config allows. The search is
//     porcupine's (github.com/anishathalye/porcupine).
//   - closing: the same for a queue that waits and is closed by one of the
//     goroutines. After Close no element goes in; no call reports that the queue is
//     closed before it is empty; an element whose call returned no error comes out.
//   - order, pointers: no element is lost, repeated or overtakes another, at
//     capacities 2, 8 and 64, with bursts and pauses, by all methods. A pill or
//     Close ends each consumer. A round without progress fails.
//   - sizes: under traffic, Len is from 0 to the capacity.
//
// # Spurious failures
//
// A queue may report full or empty although it is not, if [Config] allows it.
// WhileBusy allows a failure only if another goroutine was in a call at the same
// time. A batch is one step, or with SplitBatches one step for each element, in
// their order. A batch that moves only a part is accepted; a batch of 0 is a
// failure like false. So is a wait whose context ends: at some moment of it the
// queue must have been full, or empty. The elements that Fill, Drain and All move
// count one by one within the call. After Flush all elements are visible; before,
// all but Unflushed elements.
//
// # Limits
//
// Histories whose operations do not overlap prove nothing, and goroutines that
// have just been started rarely overlap. So the clients of a history spin at a
// barrier first, and the check counts the pairs of operations that overlapped. It
// continues until there are enough, up to 90 s for each capacity on a busy machine.
// Then it fails, or is skipped on a machine with one processor. It never passes
// without evidence. To get more overlaps, it raises GOMAXPROCS to the number of its
// clients while it runs, unless Config.Processors is set.
//
// A seed repeats the plan of the goroutines and not their timing: a rare failure
// stays rare. A run without a failure is no proof, and covers one machine's memory
// model. For the protocol behind the code there is [Exploration]: all executions of
// a small model, also under the store buffers of amd64.
package queuetest
