package httpclient

import (
	"net/http/httptrace"
	"sync/atomic"

	"github.com/tarebench/tare/load"
)

// trace is what net/http tells of the requests that share a context.
type trace struct {
	sent  atomic.Int32               // requests that were written
	timer atomic.Pointer[load.Timer] // whose clock is read
	first atomic.Int64               // when the first byte of the last response came
}

func (t *trace) hooks(firstByte bool) *httptrace.ClientTrace {
	h := &httptrace.ClientTrace{WroteRequest: func(i httptrace.WroteRequestInfo) {
		if i.Err == nil {
			t.sent.Add(1)
		}
	}}
	if firstByte {
		h.GotFirstResponseByte = func() {
			if timer := t.timer.Load(); timer != nil {
				t.first.Store(timer.Now())
			}
		}
	}
	return h
}

// Watch sets the clock of FirstByte, before Send.
func (l *Client) Watch(t *load.Timer) { l.traced.timer.Store(t) }

// FirstByte returns when the first byte of the last response of Send came, by the clock of
// Watch; 0 if that is not known.
func (l *Client) FirstByte() int64 { return l.first }

// Bytes returns how many bytes the connections sent and received so far. It may be called
// from any goroutine.
func (l *Client) Bytes() (sent, received int64) { return l.dialer.Bytes() }
