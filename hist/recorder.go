package hist

// A Recorder is a Histogram that one goroutine fills while others take interval
// histograms. Record never waits; Swap and Interval neither lose a value nor return
// one twice.
//
// Use one Recorder for each worker: Record is for one goroutine at a time, which the
// race detector checks. Any goroutine may call Swap and Interval. For several values
// of each operation, see [Recorders].
//
// A Recorder takes the memory of two Histograms.
type Recorder struct {
	phaser
	halves [2]Histogram // the phaser selects the one for Record
}

// NewRecorder returns an empty Recorder. It panics if the configuration is not
// valid, as [New] does.
func NewRecorder(c Config) *Recorder {
	r := new(Recorder)
	for i := range r.halves {
		r.halves[i].init(c)
	}
	return r
}

// Record counts a value, as [Histogram.Record] does.
func (r *Recorder) Record(v int64) {
	e := r.enter()
	r.halves[e&1].Record(v)
	r.leave(e)
}

// Swap adds all values since the last Swap or Interval to a Histogram, and begins the
// next interval. A recording in progress belongs to the interval that ends; Swap
// waits for it. With nil, Swap discards the values, as at the end of a warm-up.
//
// The Histogram may already hold values, of other workers for example. Swap panics if
// the sum of its counts would exceed math.MaxInt64.
func (r *Recorder) Swap(into *Histogram) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.halves[r.flip()].moveTo(into)
}

// Interval returns all values since the last Swap or Interval, as a new Histogram,
// and begins the next interval.
func (r *Recorder) Interval() *Histogram {
	h := New(r.halves[0].config)
	r.Swap(h)
	return h
}

// moveTo adds all values to another Histogram unless it is nil, and removes them.
func (h *Histogram) moveTo(into *Histogram) {
	if h.count == 0 {
		return
	}
	if into != nil {
		if err := into.Merge(h); err != nil {
			panic(err)
		}
	}
	h.Reset()
}
