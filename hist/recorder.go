package hist

// A Recorder is a Histogram that one goroutine fills while others take away what
// has been recorded so far. Record never waits; Swap and Interval neither lose a
// value nor return one twice.
//
// One worker, one Recorder: Record is for one goroutine at a time, and the race
// detector tells when that is not so. Swap and Interval may be called from any.
// To make one of more values of the same operation, see [Recorders].
//
// A Recorder takes two Histograms' memory.
type Recorder struct {
	phaser
	halves [2]Histogram // the one that is recorded into is chosen by the phaser
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

// Swap adds to a Histogram everything that was recorded since the last Swap or
// Interval, and begins the next interval. A recording in flight belongs to the
// interval that ends; Swap waits for it. With nil the values are forgotten, as
// at the end of a warm-up.
//
// The Histogram may hold values already, of other workers for example; it panics
// if the sum of its counts would exceed math.MaxInt64.
func (r *Recorder) Swap(into *Histogram) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.halves[r.flip()].moveTo(into)
}

// Interval returns everything that was recorded since the last Swap or
// Interval, as a new Histogram, and begins the next interval.
func (r *Recorder) Interval() *Histogram {
	h := New(r.halves[0].config)
	r.Swap(h)
	return h
}

// moveTo adds all values to another Histogram, if there is one, and forgets
// them.
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
