//go:build linux || darwin

package agentrun_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// truth is a web server that knows which operations it was asked for.
type truth struct {
	url string

	mu    sync.Mutex
	seen  map[uint64]int // by number, how often
	wrong []string       // requests that are no operation
	first time.Time
	last  time.Time
	began chan struct{} // closed at the first request
}

func newTruth(t *testing.T) *truth {
	s := &truth{seen: map[uint64]int{}, began: make(chan struct{})}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL + "/{k}"
	return s
}

func (s *truth) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	k, err := strconv.ParseUint(strings.TrimPrefix(r.URL.Path, "/"), 10, 64)
	s.mu.Lock()
	if err != nil {
		s.wrong = append(s.wrong, r.URL.Path)
	}
	if s.seen[k]++; s.first.IsZero() {
		s.first = now
		close(s.began)
	}
	s.last = now
	s.mu.Unlock()
	time.Sleep(time.Duration(k*2654435761%3000) * time.Microsecond)
	fmt.Fprintln(w, k)
}

// lastSeen returns when the last request came.
func (s *truth) lastSeen() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// distinct returns how many operations were seen.
func (s *truth) distinct() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.seen))
}

// problems names operations that were seen twice, and those beyond the schedule of n.
func (s *truth) problems(n uint64) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out = append(out, s.wrong...)
	for k, times := range s.seen {
		if times > 1 {
			out = append(out, fmt.Sprintf("operation %d was sent %d times", k, times))
		}
		if k >= n {
			out = append(out, fmt.Sprintf("operation %d of %d was sent", k, n))
		}
		if len(out) > 5 {
			return append(out, "…")
		}
	}
	return out
}
