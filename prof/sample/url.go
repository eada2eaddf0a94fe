package sample

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/record"
)

// Limits of what an address may answer.
const (
	maxAnswer    = 256 << 20
	answerGrace  = 15 * time.Second // beside the time that was asked for
	shareOfLooks = 50               // looks may take the 50th part of the time
)

// client asks a process about itself.
type client struct {
	base *url.URL
	http http.Client
}

// URL looks at a process that serves net/http/pprof at an address, for Config.Length or
// until ctx is done: by CPU time with its own profiler, or by the clock at the stacks of
// its goroutines. The address is that of the server, or of its /debug/pprof/; nothing else
// is connected to, but what it redirects to on the same host. If the process ends meanwhile
// there is a result and an error.
func URL(ctx context.Context, address string, c Config) (*Result, error) {
	c, err := c.prepared()
	if err != nil {
		return nil, err
	}
	base, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	x := &client{base: base, http: http.Client{CheckRedirect: sameHost}}
	defer x.http.CloseIdleConnections()
	if c.Mode == record.SampledCPU {
		return x.cpu(ctx, c)
	}
	return x.wall(ctx, c)
}

func parseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("sample: %q is no address of a server: want one such as http://127.0.0.1:6060/debug/pprof/", address)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/debug/pprof"
	}
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// sameHost is the limit of redirections: who names an address means that.
func sameHost(r *http.Request, via []*http.Request) error {
	if r.URL.Host != via[0].URL.Host {
		return fmt.Errorf("it sends us on to %s", r.URL.Host)
	}
	if len(via) > 5 {
		return errors.New("it sends us on and on")
	}
	return nil
}

// get asks for a page below the address, which has so long to come.
func (x *client) get(ctx context.Context, page, query string, patience time.Duration, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer in %v", patience))
	defer cancel()
	u := *x.base
	u.Path, u.RawQuery = path.Join(u.Path, page), query
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fmt.Errorf("sample: %w", err)
	}
	resp, err := x.http.Do(r)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return fmt.Errorf("sample: %s: %w", u.Redacted(), bare(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("sample: %s: %s: is net/http/pprof served there?", u.Redacted(), resp.Status)
	}
	if err := read(io.LimitReader(resp.Body, maxAnswer)); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return fmt.Errorf("sample: %s: %w", u.Redacted(), err)
	}
	return nil
}

// bare takes off what repeats the address.
func bare(err error) error {
	if e := (*url.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

func (x *client) how(c Config) record.Sampled {
	return record.Sampled{Program: x.base.Host, Mode: c.Mode, Source: record.SampledURL, Window: record.AsmWhole, Interval: int64(c.Interval)}
}

// cpu has the process profile itself.
func (x *client) cpu(ctx context.Context, c Config) (*Result, error) {
	var p *profile.Profile
	seconds := int64(math.Ceil(c.Length.Seconds()))
	err := x.get(ctx, "profile", fmt.Sprintf("seconds=%d", seconds), time.Duration(seconds)*time.Second+answerGrace, func(r io.Reader) (err error) {
		if p, err = profile.Parse(r); err != nil {
			return fmt.Errorf("it is not a whole profile: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(p.SampleType) != 2 || p.SampleType[0].Type != record.TypeSamples || p.SampleType[1].Type != record.TypeCPU {
		return nil, fmt.Errorf("sample: %s: it is not a CPU profile", x.base.Redacted())
	}
	how := x.how(c)
	how.Interval, how.Wall = p.Period, p.DurationNanos
	if how.Interval < 1 {
		how.Interval = int64(defaultInterval)
	}
	for _, s := range p.Sample {
		how.Looks += max(0, s.Value[0])
	}
	how.Blind = []string{
		"threads that wait, and functions of C: a profiler of Go interrupts threads that use CPU time, and knows Go's functions",
		"what it cost: the process has looked at itself, and does not say how long that took",
	}
	p.DefaultSampleType = record.TypeCPU
	return &Result{How: how, Profile: p}, nil
}

// wall asks for the goroutines again and again.
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
		due = w.due(due, time.Since(began))
	}
	if ctx.Err() != nil {
		err = nil // enough, not wrong
	}
	if len(w.seen.looks) == 0 {
		if err == nil {
			err = fmt.Errorf("sample: %s: not asked once: %w", x.base.Redacted(), context.Cause(ctx))
		}
		return nil, err
	}
	w.seen.took = w.took
	how := x.how(c)
	how.Blind = []string{
		"whether a goroutine runs or could: the process stops to answer",
		"which goroutines serve our own connection: they are among those that wait for IO",
		"what a look cost the process: what is told is how long its answers took",
	}
	res, weighErr := weigh(&w.seen, func(i int) []frame { return w.stacks[i] }, how, nil)
	if weighErr != nil {
		return nil, weighErr
	}
	return res, err
}

// sleep returns false if ctx is done before.
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

// watcher makes of answers what a process would have written of itself.
type watcher struct {
	interval time.Duration
	seen     seen
	stacks   [][]frame
	last     map[uint64]key // by goroutine
	at       map[string]int // of stacks
	reasons  map[string]int
	took     int64         // of the last look, ns
	usual    time.Duration // mean of the last ones
	skipped  int64
}

// due is when the next look is: not before looks have their share of the time.
func (w *watcher) due(last, now time.Duration) time.Duration {
	next := last + w.interval
	w.skipped = 0
	if earliest := now + shareOfLooks*w.usual; next < earliest {
		w.skipped = int64((earliest - next) / w.interval)
		next = earliest
	}
	return next
}

// look adds an answer.
func (w *watcher) look(at, took int64, gs []goroutine) {
	l := look{at: at, took: w.took, skipped: w.skipped, goroutines: int64(len(gs))}
	w.took = took
	w.usual += (time.Duration(took) - w.usual) / 8
	if len(w.seen.looks) == 0 {
		w.usual = time.Duration(took)
	}
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
	w.last = now
	w.seen.looks = append(w.seen.looks, l)
}

func (w *watcher) reason(s string) uint64 {
	n, ok := w.reasons[s]
	if !ok {
		n = len(w.seen.names)
		w.reasons[s] = n
		w.seen.names = append(w.seen.names, s)
	}
	return uint64(n)
}

func (w *watcher) stack(g *goroutine) int {
	var id strings.Builder
	for _, f := range g.stack() {
		fmt.Fprintf(&id, "%s\n%s:%d\n", f.name, f.file, f.line)
	}
	n, ok := w.at[id.String()]
	if !ok {
		n = len(w.stacks)
		w.at[id.String()] = n
		w.stacks = append(w.stacks, g.stack())
		w.seen.stacks = append(w.seen.stacks, stack{cut: g.cut})
	}
	return n
}
