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

	loops string // a key of pumps
}

// pumps makes links, by the name of their loops and what they hand over. The files
// that go generate writes fill it.
var pumps = map[string]map[Elem]func(Setup) Link{}

// New makes a link of the kind. What s says of waiting and batches is replaced. It
// panics if go generate has not written the loops.
func (k Kind) New(s Setup) *Link {
	s.Wait, s.Batch = k.Wait, k.Batch
	create := pumps[k.loops][s.Elem]
	if create == nil {
		panic(k.Queue + " has no loops: run go generate in suites/queues")
	}
	l := create(s)
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
			loops: "Channel"},
		{Queue: "channel", Wait: Own, Batch: batch, ManyProducers: true, ManyConsumers: true, Bounded: true,
			loops: "Slices"},
	}
}

func ours() []Kind {
	var out []Kind
	add := func(name string, producers, consumers, bounded bool, ways ...Kind) {
		for _, w := range ways {
			w.Queue, w.loops, w.ManyProducers, w.ManyConsumers, w.Bounded = name, name, producers, consumers, bounded
			out = append(out, w)
		}
	}
	spin, back, batches := Kind{Wait: Spin, Batch: 1}, Kind{Wait: Backoff, Batch: 1}, Kind{Wait: Backoff, Batch: batch}
	add("SPSC", false, false, true, spin, back, Kind{Wait: Spin, Batch: batch}, batches)
	add("BufferedBoth", false, false, true, Kind{Wait: Backoff, Batch: buffer})
	add("Buffered", false, false, true, Kind{Wait: Backoff, Batch: buffer})
	add("BufferedConsumer", false, false, true, spin, back)
	add("GrowableSPSC", false, false, true, back)
	add("UnboundedSPSC", false, false, false, back)
	add("MPSC", true, false, true, spin, back, batches)
	add("LinkedMPSC", true, false, false, back)
	add("UnboundedMPSC", true, false, false, back)
	add("UnboundedMPMC", true, true, false, spin, back, batches)
	add("SPMC", false, true, true, spin, back, batches)
	add("MPMC", true, true, true, spin, back, batches)
	for _, w := range []Wait{Park, Adaptive, Yield, SpinIn} {
		add("Blocking", true, true, true, Kind{Wait: w, Batch: 1})
	}
	return out
}

func others() []Kind {
	var out []Kind
	add := func(name, loops, module string, producers, consumers, bounded bool, waits ...Wait) {
		for _, w := range waits {
			out = append(out, Kind{Queue: name, Wait: w, Batch: 1, ManyProducers: producers, ManyConsumers: consumers,
				Bounded: bounded, Module: module, loops: loops})
		}
	}
	add("xsync.SPSC", "XsyncSPSC", moduleXsync, false, false, true, Spin, Backoff)
	add("xsync.MPMC", "XsyncMPMC", moduleXsync, true, true, true, Spin, Backoff)
	add("xsync.UMPSC", "UMPSC", moduleXsync, true, false, false, Own)
	add("Workiva", "Workiva", moduleWorkiva, true, true, true, Own)
	return out
}
