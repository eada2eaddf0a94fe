// Package queue has lock-free queues, bounded and unbounded, for one or many
// producers and consumers. They store values of any type inline. They clear the slots
// of dequeued elements, so that the garbage collector can free what those refer to.
// The documentation of each method says when it may fail.
//
// # Recipe
//
//  1. Choose a type from the table by the number of producers and consumers. Prefer
//     a bounded queue: an unbounded one hides that consumers are slow.
//  2. Move elements in batches wherever you have more than one: TryEnqueueBatch and
//     TryDequeueBatch cost about as much as a single element does. Where elements
//     come one by one, a [BufferedProducer] makes batches of them, and a
//     [BufferedConsumer] counts them in batches.
//  3. Decide how to wait. [NewBlocking] with [Park] behaves like a channel. A loop
//     around Try methods should wait with a [Backoff]: retrying at once is slower
//     than a channel when there are fewer cores than goroutines.
//  4. Measure with your own elements, against a channel.
//  5. Run your tests once with -tags queuedebug. A queue then panics when two
//     goroutines use a single producer's or consumer's side at the same time.
//
// # Types
//
//	producers  consumers  bound       type
//	one        one        fixed       SPSC, the fastest
//	one        one        grows to    GrowableSPSC: many queues, mostly short
//	one        one        none        UnboundedSPSC
//	many       one        fixed       MPSC
//	many       one        none        UnboundedMPSC; LinkedMPSC while it is short
//	one        many       fixed       SPMC
//	many       many       fixed       MPMC
//	many       many       none        UnboundedMPMC
//
// # Guarantees
//
// Control says whether a call returns in a bounded number of steps. Progress says
// whether the queue as a whole advances while some goroutine is interrupted in the
// middle of a call. Wait-free: every call does. Lock-free: at any time some call
// does. Blocking: a call may depend on an interrupted goroutine.
//
//	type           adding: control, progress   taking: control, progress
//	SPSC           wait-free, wait-free        wait-free, wait-free
//	GrowableSPSC   wait-free, wait-free        wait-free, wait-free
//	UnboundedSPSC  wait-free, wait-free        wait-free, wait-free
//	MPSC           lock-free, lock-free        wait-free, blocking
//	UnboundedMPSC  lock-free, lock-free        wait-free, blocking
//	LinkedMPSC     wait-free, wait-free        blocking, blocking
//	SPMC           wait-free, blocking         lock-free, lock-free
//	MPMC           lock-free, blocking         lock-free, blocking
//	UnboundedMPMC  lock-free, lock-free        lock-free, blocking
//
// Methods whose name ends in Strict are blocking, but for TryEnqueueStrict of the
// types with one consumer. The table does not count the time
// of callbacks and of the unbounded types' allocations.
//
// A weak method may fail although the queue is not full or not empty; a strict one
// may not. No method fails merely because another goroutine was faster. All queues
// are first in, first out.
//
//	type           TryEnqueue: false        TryDequeue: false
//	SPSC           full, or nearly full     empty
//	GrowableSPSC   full, or nearly full     empty
//	UnboundedSPSC  never                    empty
//	MPSC           full, or nearly full     empty, or the first is being added
//	UnboundedMPSC  never                    empty, or the first is being added
//	LinkedMPSC     never                    empty
//	SPMC           full, or slot being read empty
//	MPMC           full, or slot being read empty, or the first is being added
//	UnboundedMPMC  never                    empty, or the first is being added
//
// Nearly full: the consumer's TryDequeue publishes the room that it frees every
// Cap/8 elements, 64 at most, and when it finds no element, because producers that
// find the queue full read it all the time. If the consumer stops in between,
// TryEnqueue misses up to 63 free slots. This cannot happen with a capacity below 16,
// nor with TryDequeueBatch, Drain and All, which publish when they return, nor with a
// [Blocking]. TryEnqueueStrict misses none, but for those of a [BufferedConsumer].
//
// Len, IsEmpty and Dequeued are exact after each TryDequeue: when the last element has
// been taken, Len is 0. While a batch or Drain is under way they may still count
// elements that it has taken, and so may they beside a [BufferedConsumer].
//
// # What the Go runtime adds
//
// The guarantees are those of the algorithms. The runtime can stop any goroutine
// between two instructions: when its time slice of about 10 ms ends, for the parts of
// a collection that stop the world, and when the operating system preempts its
// thread. With fewer processors than busy goroutines, a goroutine that was stopped
// between claiming a slot and filling it hides the elements behind it until it runs
// again. A call that allocates a chunk or a ring may be made to help the collector, for
// a time that depends on how much the program allocates (an assist). No method of
// this package waits for a lock of the runtime otherwise, except those of [Blocking],
// which park.
//
// # Methods
//
//	                 who     on
//	TryEnqueue       prod.   all
//	TryEnqueueBatch  prod.   all: one publication for a batch (MPMC: one claim)
//	TryEnqueueStrict prod.   the bounded types, UnboundedSPSC
//	Fill             prod.   the types with one producer
//	Buffered         prod.   SPSC, GrowableSPSC, UnboundedSPSC
//	BufferedConsumer cons.   SPSC, GrowableSPSC, UnboundedSPSC
//	TryDequeue       cons.   all
//	TryDequeueBatch  cons.   all
//	TryDequeueStrict cons.   MPSC, MPMC, UnboundedMPSC, UnboundedMPMC: where
//	                         TryDequeue is weak
//	Peek             cons.   the types with one consumer
//	PeekStrict       cons.   MPSC, UnboundedMPSC: where Peek is weak
//	Drain, All       cons.   all
//	Len, IsEmpty     any     all: from 0 to Cap, wait-free
//	Cap              any     all: -1 without bound
//	Enqueued,        any     all: elements since the queue was made;
//	Dequeued                 they wrap around at 1<<64
//
// [DrainWait] and [FillWait] repeat Drain and Fill, with waits between, until their
// argument more returns false.
//
// Queues are made by their constructors; methods of a zero value panic or fail. A
// limit below 1 means no element. A nil callback panics at once.
//
// Types with many producers have no Fill: it would call back between claiming a slot
// and filling it, and the consumer would have to wait for the callback.
//
// # Sources
//
// Names and guarantees follow JCTools (github.com/JCTools/JCTools), whose
// MessagePassingQueue has offer, poll, relaxedOffer, drain and fill. The types name
// the sources of their algorithms. All code is portable Go on package sync/atomic,
// and the race detector reports nothing. An atomic store in Go is an exchange on
// amd64, 2 to 5 ns where Java's ordered store takes 1. That is why there are
// batches and why room is published late.
package queue
