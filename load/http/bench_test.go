package http

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
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

// BenchmarkFirstByte is what http.ttfb costs: runs of the engine with and without it, in
// turns, in µs per request; the difference is the median of that of neighbours. The server
// is in the same process.
func BenchmarkFirstByte(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "Hello, world")
	}))
	defer server.Close()
	var targets [2]load.Target
	for i, on := range []string{"false", "true"} {
		t, err := Open(b.Context(), kv.Settings{URL: server.URL, Props: kv.Properties{"http.ttfb": on}})
		if err != nil {
			b.Fatal(err)
		}
		defer t.Close()
		targets[i] = t
	}
	var took [2][]float64
	var more []float64
	for b.Loop() {
		for i, t := range targets {
			total, err := load.Run(b.Context(), t, load.Config{Workers: 1, Operations: 2000}, nil)
			if err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], float64(total.Length)/1e3/float64(total.Completed))
		}
		more = append(more, took[1][len(more)]-took[0][len(more)])
	}
	b.ReportMetric(middle(took[0]), "µs/request")
	b.ReportMetric(middle(more), "ttfb-µs/request")
}

func middle(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
