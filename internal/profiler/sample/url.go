package sample

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/pprofio"
	"github.com/tarebench/tare/record"
)

const (
	maxAnswer    = 64 << 20         // bytes; net/http/pprof itself cuts off the text of goroutines there
	answerGrace  = 15 * time.Second // in addition to the requested length
	fewCosts     = 9                // the median cost is that of so many samples
	shareOfLooks = 50               // samples may take 1/50 of the time
	maxSeen      = 256 << 20        // bytes of samples in memory: the server determines how many there are
)

// Sizes in bytes of elements in slices and maps, without their texts.
const (
	ofLook   = 100
	ofChange = 40
	ofStack  = 150
	ofFrame  = 50
	ofReason = 100
)

// client requests the pages of a process.
type client struct {
	base *url.URL
	http http.Client
}

// URL samples a process that serves net/http/pprof at an address, for Config.Length or until ctx ends: by CPU
// time with its own profiler, or by the clock the stacks of its goroutines, which underestimates running
// ([CodeOutside]). The address is that of the server, or of its /debug/pprof/. It may have user:password@ or a
// query, which no error shows. URL connects to that server only, also by redirections, and to no proxy. An answer may
// have 64 MiB. If the process ends meanwhile there is both a result and an error.
func URL(ctx context.Context, address string, c Config) (*Result, error) {
	c, err := c.prepared()
	if err != nil {
		return nil, err
	}
	base, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	x := &client{base: base, http: http.Client{CheckRedirect: sameHost, Transport: direct()}}
	defer x.http.CloseIdleConnections()
	if c.Mode == record.SampledCPU {
		return x.cpu(ctx, c)
	}
	return x.wall(ctx, c)
}

// direct connects to the server itself: a proxy would see the password.
func direct() *http.Transport { return &http.Transport{ForceAttemptHTTP2: true} }

// sameHost allows redirections on the same host only.
func sameHost(r *http.Request, via []*http.Request) error {
	if r.URL.Host != via[0].URL.Host {
		return fmt.Errorf("it redirects to %s", r.URL.Host)
	}
	if len(via) > 5 {
		return errors.New("it redirects too often")
	}
	return nil
}

// get requests a page below the address, which has to come within patience.
func (x *client) get(ctx context.Context, name, query string, patience time.Duration, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer in %v", patience))
	defer cancel()
	u := x.page(name, query)
	wrong := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return &serverError{fmt.Errorf("sample: %s: %w", where(u), bare(err)), guards(x.base)}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return wrong(err)
	}
	resp, err := x.http.Do(r)
	if err != nil {
		return wrong(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return wrong(fmt.Errorf("%s: is net/http/pprof served there?", resp.Status))
	}
	if err := read(resp.Body); err != nil {
		return wrong(err)
	}
	return nil
}

func (x *client) how(c Config) record.Sampled {
	return record.Sampled{Program: x.base.Host, Mode: c.Mode, Source: record.SampledURL, Window: record.AsmWhole, Interval: int64(c.Interval)}
}

// cpu requests a CPU profile.
func (x *client) cpu(ctx context.Context, c Config) (*Result, error) {
	var p *profile.Profile
	seconds := int64(math.Ceil(c.Length.Seconds()))
	err := x.get(ctx, "profile", fmt.Sprintf("seconds=%d", seconds), time.Duration(seconds)*time.Second+answerGrace, func(r io.Reader) (err error) {
		if p, err = pprofio.Profile(r, maxAnswer); err != nil {
			return err
		}
		if len(p.SampleType) != 2 || p.SampleType[0].Type != record.TypeSamples || p.SampleType[1].Type != record.TypeCPU {
			return errors.New("it is not a CPU profile")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	how := x.how(c)
	how.Achieved, how.Wall = float64(max(p.Period, 0)), p.DurationNanos
	for _, s := range p.Sample {
		how.Looks += max(0, s.Value[0])
	}
	if err := how.Validate(); err != nil {
		return nil, fmt.Errorf("sample: %s: malformed profile: %w", where(x.base), err)
	}
	how.Blind = []string{
		"threads that wait, and functions of C: a profiler of Go interrupts threads that use CPU time, and knows Go's functions",
		"what it cost: the process has looked at itself, and does not say how long that took",
	}
	p.DefaultSampleType = record.TypeCPU
	return &Result{How: how, Profile: p}, nil
}

// wall requests the goroutines repeatedly.
func (x *client) wall(ctx context.Context, c Config) (*Result, error) {
	w := &watcher{interval: c.Interval, at: map[string]int{}, reasons: map[string]int{}}
	began := time.Now()
	due := time.Duration(0)
	var err error
	for due < c.Length && err == nil {
		if !sleep(ctx, time.Until(began.Add(due))) {
			break
		}
		at := time.Since(began)
		var gs []goroutine
		if err = x.get(ctx, "goroutine", "debug=2", answerGrace, func(r io.Reader) (err error) {
			gs, err = parseGoroutines(r)
			return err
		}); err != nil {
			break
		}
		took := time.Since(began) - at
		w.look(int64(at), int64(took), gs)
		if w.seen.full = w.weight > maxSeen; w.seen.full {
			w.seen.end = int64(c.Length)
			break
		}
		due = w.due(due, time.Since(began))
	}
	if ctx.Err() != nil {
		err = nil // the end of the length is no error
	}
	if len(w.seen.looks) == 0 {
		if err == nil {
			err = fmt.Errorf("sample: %s: ended before the first request: %w", where(x.base), context.Cause(ctx))
		}
		return nil, err
	}
	w.seen.took = w.took
	how := x.how(c)
	how.Blind = []string{
		"whether a goroutine runs or could: the process stops to answer",
		"what a look cost the process: what is told is how long its answers took",
	}
	res, weighErr := weigh(&w.seen, func(i int) []frame { return w.stacks[i] }, how, nil)
	if weighErr != nil {
		return nil, weighErr
	}
	return res, err
}

// sleep returns false if ctx ends earlier.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// watcher makes samples of answers, as the sampler inside a process writes them.
type watcher struct {
	interval time.Duration
	seen     seen
	stacks   [][]frame
	last     map[uint64]key // by goroutine
	at       map[string]int // of stacks
	reasons  map[string]int
	took     int64           // cost of the last sample, ns
	costs    []time.Duration // of the last few samples
	slower   time.Duration   // total excess over the interval that is not in a sample yet
	skipped  int64
	over     int64 // samples omitted because the last one was not over
	weight   int   // memory of all samples, in bytes, roughly
}

// due returns when the next sample is due: after a random time, as by tareSampleDue, whose mean gives
// samples their share of the time.
func (w *watcher) due(last, now time.Duration) time.Duration {
	const floor = 16
	mean := max(w.interval, shareOfLooks*w.usual())
	w.slower += mean - w.interval
	w.skipped = int64(w.slower / w.interval)
	w.slower %= w.interval
	next := last
	for w.over = -1; next <= now; w.over++ {
		next += mean/floor + rand.N(2*(mean-mean/floor))
	}
	w.over = max(w.over, 0)
	return next
}

// usual returns the median cost of the last samples, as tareSampleMedianCost does; 0 if there was only one.
func (w *watcher) usual() time.Duration {
	if len(w.costs) < 2 {
		return 0
	}
	return slices.Sorted(slices.Values(w.costs))[(len(w.costs)-1)/2]
}

// look adds an answer as a sample.
func (w *watcher) look(at, took int64, gs []goroutine) {
	l := look{at: at, took: w.took, skipped: w.skipped, over: w.over, goroutines: int64(len(gs))}
	w.took = took
	w.costs = append(w.costs, time.Duration(took))
	w.costs = w.costs[max(0, len(w.costs)-fewCosts):]
	now := make(map[uint64]key, len(gs))
	for i := range gs {
		g := &gs[i]
		k := key{w.stack(g), g.state}
		if g.state == inWaiting {
			k.state += w.reason(g.reason)
		}
		now[g.id] = k
		if old, had := w.last[g.id]; had && old == k {
			continue
		}
		l.changes = append(l.changes, change{int(g.id), k.state, g.id, k.stack})
	}
	for id := range w.last {
		if _, still := now[id]; !still {
			l.changes = append(l.changes, change{slot: int(id), state: inGone})
		}
	}
	w.weight += ofLook + ofChange*len(l.changes)
	w.last = now
	w.seen.looks = append(w.seen.looks, l)
}

func (w *watcher) reason(s string) uint64 {
	n, ok := w.reasons[s]
	if !ok {
		n = len(w.seen.names)
		w.reasons[s] = n
		w.seen.names = append(w.seen.names, s)
		w.weight += ofReason + len(s)
	}
	return uint64(n)
}

func (w *watcher) stack(g *goroutine) int {
	var id strings.Builder
	for _, f := range g.frames {
		fmt.Fprintf(&id, "%s\n%s:%d\n", f.name, f.file, f.line)
	}
	n, ok := w.at[id.String()]
	if !ok {
		n = len(w.stacks)
		w.at[id.String()] = n
		w.stacks = append(w.stacks, slices.Clone(g.frames))
		w.weight += ofStack + 2*id.Len() + ofFrame*len(g.frames) // in the map, and in frames
		w.seen.stacks = append(w.seen.stacks, stack{cut: g.cut})
	}
	return n
}
