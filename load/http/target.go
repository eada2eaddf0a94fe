package http

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/tarebench/tare/internal/client/http1"
	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

type target struct {
	*config
	fixed   []byte // the body, if it does not vary
	wire    *wire  // nil if requests are sent by net/http
	dialers load.Dialers

	serverNeedsTLS func() bool // of a plain server that refuses a request: asks once
}

// Open checks that a server accepts connections, and over TLS that the certificate is
// valid and the HTTP version is available. It sends no request.
func Open(ctx context.Context, s kv.Settings) (load.Target, error) {
	c, err := parseConfig(s)
	if err != nil {
		return nil, fmt.Errorf("http: %w", err)
	}
	if err := load.Reach(ctx, s.Allow, httpclient.Address(c.parsed), c.client.Timeout, "start the server, or set its address: -p http.url=http://host:port/path"); err != nil {
		return nil, fmt.Errorf("http: %w", err)
	}
	if c.parsed.Scheme == "https" {
		if err := c.client.CheckTLS(ctx, s.Allow, c.parsed); err != nil {
			return nil, fmt.Errorf("http: secure connection to %s: %w", c.where(), err)
		}
	}
	t := &target{config: c, wire: newWire(c), dialers: load.Dialers{Allow: s.Allow}, serverNeedsTLS: sync.OnceValue(func() bool {
		return c.parsed.Scheme == "http" && load.SpeaksTLS(ctx, s.Allow, httpclient.Address(c.parsed), c.client.Timeout)
	})}
	if !c.content.Varies() {
		t.fixed = c.content.Append(nil, 0, 0)
	}
	return t, nil
}

// firstByte is the index of the kind of the time to first byte.
const firstByte = 1

func (t *target) Kinds() []string {
	if t.client.FirstByte {
		return []string{t.method, t.method + "/first-byte"}
	}
	return []string{t.method}
}

func (t *target) Worker(ctx context.Context, _ int) (load.Worker, error) {
	dialer, err := t.dialers.New(ctx, t.client.Timeout)
	if err != nil {
		return nil, fmt.Errorf("http: worker: %w", err)
	}
	if t.wire != nil {
		return &direct{target: t, client: t.client.Direct(ctx, dialer, t.parsed), request: http1.Request{Head: t.method == http.MethodHead}}, nil
	}
	w := &worker{target: t, client: t.client.Client(ctx, dialer, t.parsed.Scheme == "https"), run: ctx}
	w.read = w.exchange
	return w, nil
}

// Close ends the workers.
func (t *target) Close() error {
	t.dialers.Close()
	return nil
}
