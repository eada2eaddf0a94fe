package queues

import "slices"

// A Kind is a way of handing elements over: a queue, how its users wait, and how
// many elements they move at a time.
type Kind struct {
	Queue string // as in names of benchmarks
	Wait  Wait
	Batch int // 1: one by one
	// ManyProducers and ManyConsumers say who may use it.
	ManyProducers, ManyConsumers bool
	Bounded                      bool
	Module                       string // "" for what is tare's or Go's own

	create map[Elem]func(Setup) Link
}

// New makes a link of the kind. What s says of waiting and batches is replaced.
func (k Kind) New(s Setup) *Link {
	s.Wait, s.Batch = k.Wait, k.Batch
	l := k.create[s.Elem](s)
	return &l
}

// Serves reports whether so many may use it.
func (k Kind) Serves(producers, consumers int) bool {
	return (producers == 1 || k.ManyProducers) && (consumers == 1 || k.ManyConsumers)
}

const (
	batch  = 64 // of those who hand over batches
	buffer = 32 // of BufferedProducer
)

const (
	moduleXsync   = "github.com/puzpuzpuz/xsync/v4"
	moduleWorkiva = "github.com/Workiva/go-datastructures"
)

// Kinds lists all ways, the channel first.
func Kinds() []Kind {
	return slices.Concat(channels(), ours(), others())
}

func channels() []Kind {
	return []Kind{
		{Queue: "channel", Wait: Own, Batch: 1, ManyProducers: true, ManyConsumers: true, Bounded: true,
			create: map[Elem]func(Setup) Link{Int64: newChannelInt, Ptr: newChannelPtr}},
		{Queue: "channel", Wait: Own, Batch: batch, ManyProducers: true, ManyConsumers: true, Bounded: true,
			create: map[Elem]func(Setup) Link{Int64: newSlicesInt, Ptr: newSlicesPtr}},
	}
}

func ours() []Kind {
	var out []Kind
	add := func(name string, producers, consumers, bounded bool, ints, pointers func(Setup) Link, ways ...Kind) {
		for _, w := range ways {
			w.Queue, w.ManyProducers, w.ManyConsumers, w.Bounded = name, producers, consumers, bounded
			w.create = map[Elem]func(Setup) Link{Int64: ints, Ptr: pointers}
			out = append(out, w)
		}
	}
	spin, back, batches := Kind{Wait: Spin, Batch: 1}, Kind{Wait: Backoff, Batch: 1}, Kind{Wait: Backoff, Batch: batch}
	add("SPSC", false, false, true, newSPSCInt, newSPSCPtr, spin, back, Kind{Wait: Spin, Batch: batch}, batches)
	add("Buffered", false, false, true, newBufferedInt, newBufferedPtr, Kind{Wait: Backoff, Batch: buffer})
	add("GrowableSPSC", false, false, true, newGrowableSPSCInt, newGrowableSPSCPtr, back)
	add("UnboundedSPSC", false, false, false, newUnboundedSPSCInt, newUnboundedSPSCPtr, back)
	add("MPSC", true, false, true, newMPSCInt, newMPSCPtr, spin, back, batches)
	add("LinkedMPSC", true, false, false, newLinkedMPSCInt, newLinkedMPSCPtr, back)
	add("UnboundedMPSC", true, false, false, newUnboundedMPSCInt, newUnboundedMPSCPtr, back)
	add("SPMC", false, true, true, newSPMCInt, newSPMCPtr, spin, back, batches)
	add("MPMC", true, true, true, newMPMCInt, newMPMCPtr, spin, back, batches)
	for _, w := range []Wait{Park, Adaptive, Yield, SpinIn} {
		add("Blocking", true, true, true, newBlockingInt, newBlockingPtr, Kind{Wait: w, Batch: 1})
	}
	return out
}

func others() []Kind {
	var out []Kind
	add := func(name, module string, producers, consumers, bounded bool, ints, pointers func(Setup) Link, waits ...Wait) {
		for _, w := range waits {
			out = append(out, Kind{Queue: name, Wait: w, Batch: 1, ManyProducers: producers, ManyConsumers: consumers,
				Bounded: bounded, Module: module, create: map[Elem]func(Setup) Link{Int64: ints, Ptr: pointers}})
		}
	}
	add("xsync.SPSC", moduleXsync, false, false, true, newXsyncSPSCInt, newXsyncSPSCPtr, Spin, Backoff)
	add("xsync.MPMC", moduleXsync, true, true, true, newXsyncMPMCInt, newXsyncMPMCPtr, Spin, Backoff)
	add("xsync.UMPSC", moduleXsync, true, false, false, newUMPSCInt, newUMPSCPtr, Own)
	add("Workiva", moduleWorkiva, true, true, true, newWorkivaInt, newWorkivaPtr, Own)
	return out
}
