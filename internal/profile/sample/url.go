package sample

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/binary/pprofio"
	"github.com/tarebench/tare/record"
)

const (
	maxAnswer   = 64 << 20 // bytes; net/http/pprof itself cuts off the text of goroutines there
	costSamples = 9        // number of samples of which the median cost is used
	costDivisor = 50       // samples may take 1/50 of the time
	maxSeen     = 96 << 20 // bytes of samples in memory; the server determines their number
)

// answerGrace is how long an answer may take in addition to the requested duration.
// Tests change it: how long their servers take depends on the machine.
var answerGrace = 15 * time.Second

// client requests the pages of a process.
type client struct {
	base *url.URL
	http http.Client
}

// URL samples a process that serves net/http/pprof, for Config.Length or until ctx ends: CPU time by its own
// profiler, or wall time by the stacks of its goroutines, which underestimates running ([CodeOutside]). The address
// is that of the server or of its /debug/pprof/. It may contain user:password@ or a query, which no error shows. URL
// connects only to that server, also after redirections, and uses no proxy. An answer may have 64 MiB. If the process
// ends meanwhile, URL returns both a result and an error.
func URL(ctx context.Context, address string, c Config) (*Result, error) {
	c, err := c.withDefaults()
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

// direct returns a transport without proxy: a proxy would see the password.
func direct() *http.Transport { return &http.Transport{ForceAttemptHTTP2: true} }

// sameHost permits redirections on the same host only.
func sameHost(r *http.Request, via []*http.Request) error {
	if r.URL.Host != via[0].URL.Host {
		return fmt.Errorf("it redirects to %s", r.URL.Host)
	}
	if len(via) > 5 {
		return errors.New("it redirects too often")
	}
	return nil
}

// get requests a page below the base address, with patience as timeout.
func (x *client) get(ctx context.Context, name, query string, patience time.Duration, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer in %v", patience))
	defer cancel()
	u := x.page(name, query)
	wrong := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return &serverError{fmt.Errorf("sample: %s: %w", shownAddress(u), urlCause(err)), secrets(x.base)}
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

func (x *client) describe(c Config) record.Sampled {
	return record.Sampled{Program: x.base.Host, Mode: c.Mode, Source: record.SampledURL, Window: record.AsmWhole, Interval: int64(c.Interval)}
}

// cpu requests a CPU profile.
func (x *client) cpu(ctx context.Context, c Config) (*Result, error) {
	var p *profile.Profile
	seconds := int64(math.Ceil(c.Duration.Seconds()))
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
	how := x.describe(c)
	how.Achieved, how.Wall = float64(max(p.Period, 0)), p.DurationNanos
	for _, s := range p.Sample {
		how.Samples += max(0, s.Value[0])
	}
	if err := how.Validate(); err != nil {
		return nil, fmt.Errorf("sample: %s: malformed profile: %w", shownAddress(x.base), err)
	}
	how.Limitations = []string{
		"waiting threads and C functions: Go's profiler interrupts threads that use CPU time and resolves only Go functions",
		"the overhead: the process samples itself and does not report it",
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
	for due < c.Duration && err == nil {
		if !sleep(ctx, time.Until(began.Add(due))) {
			break
		}
		at := time.Since(began)
		var gs []goroutine
		if err = x.get(ctx, "goroutine", "debug=2", answerGrace, func(r io.Reader) (err error) {
			var cut bool
			gs, cut, err = parseAnswer(r, maxAnswer)
			w.cutOff = w.cutOff || cut
			return err
		}); err != nil {
			break
		}
		took := time.Since(began) - at
		w.addSample(int64(at), int64(took), gs)
		if w.seen.full = w.weight > maxSeen; w.seen.full {
			w.seen.end = int64(c.Duration)
			break
		}
		due = w.due(due, time.Since(began))
	}
	if ctx.Err() != nil {
		err = nil // the end of the duration is not an error
	}
	if len(w.seen.samples) == 0 {
		if err == nil {
			err = fmt.Errorf("sample: %s: ended before the first request: %w", shownAddress(x.base), context.Cause(ctx))
		}
		return nil, err
	}
	w.seen.took = w.took
	how := x.describe(c)
	how.Limitations = []string{
		"running and runnable goroutines: the process stops to answer",
		"the CPU time of a sample: its cost is the duration of the answer",
	}
	if w.cutOff {
		how.Limitations = append(how.Limitations, "goroutines beyond the first 64 MiB of text, where the process ends its answer: figures are of those before")
	}
	res, weighErr := buildResult(&w.seen, func(i int) []frame { return w.stacks[i] }, how, nil)
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
