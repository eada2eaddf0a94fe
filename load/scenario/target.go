package scenario

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
)

// Settings are what a file does not say.
type Settings struct {
	Allow     *load.Consent // targets off this machine that may be loaded; nil for none. [Scenario.Allow] is not added
	OpTimeout time.Duration // of one request; 0 means none
	Seed      uint64        // of all choices
}

type target struct {
	*Scenario
	allow   *load.Consent
	seed    uint64
	client  httpclient.Config
	files   []*dataFile // those of the scenario, open
	dialers load.Dialers

	mu      sync.Mutex
	allowed map[string]bool // addresses of redirects that were checked
}

// Open reads the data files and checks that the server accepts connections, and over TLS that its
// certificate is valid. It sends no request. The data files stay open until the target is closed.
func Open(ctx context.Context, s *Scenario, set Settings) (load.Target, error) {
	t := &target{Scenario: s, allow: set.Allow, seed: set.Seed, dialers: load.Dialers{Allow: set.Allow}, allowed: map[string]bool{}}
	t.client = httpclient.Config{
		KeepAlive: true, Insecure: s.insecure, Timeout: set.OpTimeout,
		Hints: httpclient.Hints{SelfSigned: "for a self-signed certificate: insecure: true", Plain: "target: http://…", TLS: "target: https://…"},
	}
	if err := t.open(ctx); err != nil {
		t.Close()
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return t, nil
}

func (t *target) open(ctx context.Context) error {
	for _, d := range t.data {
		own := *d // a scenario may be opened again
		t.files = append(t.files, &own)
		if err := own.open(); err != nil {
			return err
		}
	}
	if err := load.Reach(ctx, t.allow, httpclient.Address(t.Scenario.target), t.client.Timeout, "start the server, or set its address in "+t.File); err != nil {
		return err
	}
	if t.Scenario.target.Scheme == "https" {
		if err := t.client.CheckTLS(ctx, t.allow, t.Scenario.target); err != nil {
			return fmt.Errorf("secure connection to %s: %w", t.Target(), err)
		}
	}
	return nil
}

// Worker implements [load.Target].
func (t *target) Worker(ctx context.Context, _ int) (load.Worker, error) {
	dialer, err := t.dialers.New(ctx, t.client.Timeout)
	if err != nil {
		return nil, fmt.Errorf("scenario: worker: %w", err)
	}
	w := &worker{target: t, client: t.client.Client(ctx, dialer, t.Scenario.target.Scheme == "https"), base: t.Target()}
	w.read = w.readAnswer
	w.values.seed = t.seed
	w.values.rows = make([][][]byte, len(t.data))
	w.rows = make([]rowBuffer, len(t.data))
	return w, nil
}

// Close implements [load.Target].
func (t *target) Close() error {
	t.dialers.Close()
	for _, d := range t.files {
		d.close()
	}
	return nil
}

// mayFollow returns an error unless the host of a redirect may be loaded. The dialer checks again which address
// it connects to; this check also holds for connections that are open.
func (t *target) mayFollow(ctx context.Context, r *http.Request) error {
	address := httpclient.Address(r.URL)
	t.mu.Lock()
	known := t.allowed[address]
	t.mu.Unlock()
	if known || address == httpclient.Address(t.Scenario.target) {
		return nil
	}
	if err := t.allow.Check(ctx, address); err != nil {
		return fmt.Errorf("redirect: %w", err)
	}
	t.mu.Lock()
	t.allowed[address] = true
	t.mu.Unlock()
	return nil
}
