// Package queue has lock-free queues, bounded and unbounded, for one or many
// producers and consumers. They hold values of any type inline, clear what was
// dequeued so that the collector can free what it held, and say exactly when they
// may fail.
//
// # Recipe
//
//  1. Choose a type from the table: by who adds and who takes, nothing else. If it
//     may be bounded, let it be: an unbounded queue hides that consumers are slow.
//  2. Move elements in batches wherever you have more than one: TryEnqueueBatch and
//     TryDequeueBatch cost about as much as a single element does. Where elements
//     come one by one, a [BufferedProducer] makes batches of them.
//  3. Decide how to wait. [NewBlocking] with [Park] behaves like a channel; a loop
//     around Try methods waits with a [Backoff]. Retrying at once is slower than a
//     channel as soon as there are fewer cores than goroutines.
//  4. Measure with your own elements, against a channel.
//  5. Run your tests once with -tags queuedebug: a queue then panics when two
//     goroutines are at once on a side that is for one.
//
// # Which one do I want
//
//	producers  consumers  bound       type
//	one        one        fixed       SPSC: the fastest; begin here
//	one        one        grows to    GrowableSPSC: many queues, mostly short
//	one        one        none        UnboundedSPSC
//	many       one        fixed       MPSC
//	many       one        none        UnboundedMPSC; LinkedMPSC while it is short
//	one        many       fixed       SPMC
//	many       many       fixed       MPMC
//
// # Guarantees
//
// Control says whether a call returns in a bounded number of steps; progress,
// whether the queue as a whole moves on if some goroutine is interrupted in the
// middle of a call. A call is wait-free if it always does, lock-free if some call
// always does, blocking if it may depend on the one that is interrupted.
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
//
// Methods whose name ends in Strict are blocking. Methods that call back wait for
// the callback, of course; allocations of the unbounded types are not counted.
//
// A method that may fail falsely is weak, one that may not is strict. No method
// fails merely because another goroutine was faster, and none tells a falsehood
// about order.
//
//	type           TryEnqueue: false        TryDequeue: false
//	SPSC           full, or nearly (lazy)   empty
//	GrowableSPSC   full, or nearly (lazy)   empty
//	UnboundedSPSC  never                    empty
//	MPSC           full, or nearly (lazy)   empty, or the first is being added
//	UnboundedMPSC  never                    empty, or the first is being added
//	LinkedMPSC     never                    empty
//	SPMC           full, or slot being read empty
//	MPMC           full, or slot being read empty, or the first is being added
//
// Lazy: the consumer's TryDequeue publishes the room behind it every Cap/8 elements,
// 64 at most, and when it finds nothing; publishing each element would halve its
// speed. If it stops in between, the producer and Len see the queue that much
// fuller. TryDequeueBatch, Drain and All publish when they return, and a
// [Blocking] always, so that with them this cannot happen; nor with a capacity
// below 16.
//
// # Methods
//
//	                 who     on
//	TryEnqueue       prod.   all
//	TryEnqueueBatch  prod.   all: one publication for a batch (MPMC: one claim)
//	TryEnqueueStrict prod.   SPMC, MPMC
//	Fill             prod.   the types with one producer
//	Buffered         prod.   SPSC, GrowableSPSC, UnboundedSPSC
//	TryDequeue       cons.   all
//	TryDequeueBatch  cons.   all
//	TryDequeueStrict cons.   MPSC, UnboundedMPSC, MPMC: where TryDequeue is weak
//	Peek             cons.   the types with one consumer
//	Drain, All       cons.   all
//	Len, IsEmpty     any     all: never below 0 nor above Cap, and they return
//	Cap              any     all: -1 without bound
//	Enqueued,        any     all: counts since the beginning, for monitoring;
//	Dequeued                 they wrap around at 1<<64
//
// Queues are made by their constructors; the zero values are none, and panic or
// refuse. A limit below 1 asks for nothing. nil callbacks panic at once.
//
// Fill is missing where there are many producers: it would call back between
// claiming a slot and filling it, and everybody behind would wait for the callback.
//
// # Sources
//
// Names and guarantees follow JCTools (github.com/JCTools/JCTools), whose
// MessagePassingQueue has offer, poll, relaxedOffer, drain and fill; the algorithms
// are named where they are. All is portable Go on package sync/atomic, and the race
// detector is silent on it. In such Go an atomic store is an exchange on amd64,
// about 5 ns where Java's ordered store is 1: hence the batches and the laziness.
package queue
