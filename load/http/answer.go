package http

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/tarebench/tare/load"
)

// statuses counts the responses of a worker.
type statuses struct {
	mu sync.Mutex
	of map[int]int64
}

func (s *statuses) count(status int) {
	s.mu.Lock()
	if s.of == nil {
		s.of = map[int]int64{}
	}
	s.of[status]++
	s.mu.Unlock()
}

// addTraffic adds the responses and the bytes of a worker's connections.
func (s *statuses) addTraffic(t *load.Traffic, bytes func() (sent, received int64)) {
	s.mu.Lock()
	for status, n := range s.of {
		t.AddStatus(strconv.Itoa(status), n)
	}
	s.mu.Unlock()
	sent, received := bytes()
	t.Sent, t.Received = t.Sent+sent, t.Received+received
}

// checkStatus returns an error for a status that is not expected.
func (t *target) checkStatus(status int) error {
	err := t.expect.Check(status)
	if err != nil && status == http.StatusBadRequest && t.serverNeedsTLS() {
		return &load.PeerError{Why: load.ErrServerTLS, Err: err}
	}
	if err != nil && status/100 == 3 && status != http.StatusNotModified {
		return fmt.Errorf("%w (-p http.follow=N follows redirects, -p http.expect=%d accepts it)", err, status)
	}
	return err
}

// tooLong returns the error of a body beyond the limit.
func (t *target) tooLong() error {
	return load.WithClass(load.ClassProtocol, fmt.Errorf("the body is longer than %d bytes (-p http.limit=…)", t.limit))
}

// failed adds the request to an error, and hides secrets.
func (t *target) failed(err error) error {
	return load.Mask(fmt.Errorf("http: %s %s: %w", t.method, t.where(), err), t.secrets...)
}

// appendRedacted appends the path and the parameters of a request, without secrets.
func (t *target) appendRedacted(b []byte, text string) []byte {
	for _, s := range t.secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, load.Masked)
		}
	}
	return append(b, text...)
}
