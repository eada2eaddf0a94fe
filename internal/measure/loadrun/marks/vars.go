package marks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// memstats are the keys of runtime.MemStats that matter here, as package expvar publishes them.
type memstats struct {
	NumGC        uint32
	PauseTotalNs uint64
	PauseNs      []uint64 // of the last 256 collections, that of collection n at (n+255)%256
}

// vars asks a server for its memory statistics.
type vars struct {
	request   *http.Request
	transport *http.Transport
	dialer    *load.Dialer
	cancel    context.CancelFunc
	every     time.Duration

	mu     sync.Mutex
	last   *memstats
	gc     *record.GCMarks // since the last take; nil: no answer
	failed int             // requests
	first  error           // of them
}

// Bounds of a request for memory statistics.
const (
	varsTimeout = 10 * time.Second
	varsLimit   = 16 << 20 // bytes
)

// CheckVars returns an error unless a URL is one of HTTP.
func CheckVars(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("want http://HOST:PORT/debug/vars") // without the text, which may hold a password
	}
	return nil
}

// openVars asks once.
func openVars(c Config) (*vars, error) {
	if err := CheckVars(c.Vars); err != nil {
		return nil, err
	}
	u, _ := url.Parse(c.Vars)
	if u.Path == "" || u.Path == "/" {
		u.Path = "/debug/vars"
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := c.Allow.Check(ctx, httpclient.Address(u)); err != nil {
		cancel()
		return nil, err
	}
	v := &vars{cancel: cancel, dialer: load.NewDialer(ctx, c.Allow, varsTimeout), every: max(c.Every, time.Second)}
	v.transport = &http.Transport{DialContext: v.dialer.DialContext, MaxIdleConns: 1}
	v.request = &http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: http.Header{"User-Agent": {"tare"}}}
	if u.User != nil {
		password, _ := u.User.Password()
		v.request.SetBasicAuth(u.User.Username(), password)
		u.User = nil
	}
	if err := v.ask(ctx); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// ask asks once, and adds the collections since the last answer.
func (v *vars) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, varsTimeout)
	defer cancel()
	answer, err := v.transport.RoundTrip(v.request.WithContext(ctx))
	if err != nil {
		return v.dialer.Err(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	var found struct {
		Memstats *memstats `json:"memstats"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, varsLimit)).Decode(&found); err != nil {
		return errors.New("the answer is not what package expvar publishes: no JSON")
	}
	io.Copy(io.Discard, io.LimitReader(answer.Body, varsLimit))
	if found.Memstats == nil {
		return errors.New("the answer has no memstats: does the server import expvar?")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.add(found.Memstats)
	return nil
}

// add adds the collections since the last answer.
func (v *vars) add(now *memstats) {
	last := v.last
	v.last = now
	if v.gc == nil {
		v.gc = &record.GCMarks{}
	}
	if last == nil || now.NumGC < last.NumGC || now.PauseTotalNs < last.PauseTotalNs { // the first, or another process
		return
	}
	n := now.NumGC - last.NumGC
	v.gc.Count += int64(n)
	v.gc.Pause += int64(now.PauseTotalNs - last.PauseTotalNs)
	for i := range min(n, uint32(len(now.PauseNs))) {
		v.gc.Max = max(v.gc.Max, int64(now.PauseNs[(now.NumGC-i+255)%uint32(len(now.PauseNs))]))
	}
}

// watch asks until the context ends. A server that does not answer is asked again when it has, or when the time for that is over.
func (v *vars) watch(ctx context.Context) {
	tick := time.NewTicker(v.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := v.ask(ctx); err != nil && ctx.Err() == nil {
			v.mu.Lock()
			if v.failed++; v.first == nil {
				v.first = err
			}
			v.mu.Unlock()
		}
	}
}

// take returns the collections since the last call, nil if there was no answer.
func (v *vars) take() *record.GCMarks {
	v.mu.Lock()
	defer v.mu.Unlock()
	gc := v.gc
	v.gc = nil
	return gc
}

func (v *vars) unanswered() (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failed, v.first
}

func (v *vars) close() {
	v.cancel()
	v.transport.CloseIdleConnections()
	v.dialer.Close()
}
