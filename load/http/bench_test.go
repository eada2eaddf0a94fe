package http

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/tarebench/tare/internal/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

// BenchmarkAgainstBare compares with loops over net/http as anybody would write
// them: one client for all, with a connection for each worker. The server is in
// the same process, which takes more than half of the time.
func BenchmarkAgainstBare(b *testing.B) {
	const workers = 8
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "Hello, world")
	}))
	defer server.Close()
	target, err := Open(b.Context(), kv.Settings{URL: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	defer target.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
	servers.Against(b, workers, target, func(int) func() error {
		return func() error {
			answer, err := client.Get(server.URL)
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			_, err = io.Copy(io.Discard, answer.Body)
			return err
		}
	})
}

// BenchmarkPrepare is what happens between operations, untimed.
func BenchmarkPrepare(b *testing.B) {
	server := httptest.NewServer(&recorder{})
	defer server.Close()
	for name, path := range map[string]string{"fixed": "/items", "varying": "/items/{rand:1000}?k={k}"} {
		b.Run(name, func(b *testing.B) {
			target, err := Open(b.Context(), kv.Settings{URL: server.URL + path})
			if err != nil {
				b.Fatal(err)
			}
			defer target.Close()
			w, err := target.Worker(b.Context(), 0)
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			b.ReportAllocs()
			for k := uint64(0); b.Loop(); k++ {
				w.Prepare(k)
			}
		})
	}
}
