package scenario

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
	loadhttp "github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
)

// BenchmarkAgainstBare compares a scenario of three steps, which takes a value of one answer to the next request and checks
// what it gets, with loops that send three requests without either: by load/http, and by net/http as anybody would write
// them. The server is in the same process, which takes more than half of the time.
func BenchmarkAgainstBare(b *testing.B) {
	const workers = 8
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, `{"token":"a1b2c3d4","items":[{"id":17},{"id":18}]}`)
	}))
	defer server.Close()
	const text = `target: $URL
transactions:
  buy:
    steps:
      - {name: login, post: /login, json: {user: "u${k}"}, capture: {token: {json: token}}}
      - {name: list, get: "/items?t=${token}", capture: {id: {json: items.1.id}}}
      - {name: buy, post: "/items/${id}", body: "n=${rand:10}", check: {status: 200, body: token}}
`
	target := open(b, b.TempDir(), text, server, Settings{})
	b.Run("than=load-http", func(b *testing.B) {
		servers.Against(b, workers, target, func(n int) func() error { return requests(b, server, n) })
	})
	b.Run("than=net-http", func(b *testing.B) {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
		servers.Against(b, workers, target, func(int) func() error {
			return func() error {
				for range 3 {
					answer, err := client.Get(server.URL + "/items?t=a1b2c3d4")
					if err != nil {
						return err
					}
					io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
				return nil
			}
		})
	})
}

// requests returns what sends three requests by a worker of load/http.
func requests(b *testing.B, server *httptest.Server, n int) func() error {
	target, err := loadhttp.Open(b.Context(), kv.Settings{URL: server.URL + "/items?t=a1b2c3d4", Props: kv.Properties{"http.ttfb": "false"}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { target.Close() })
	w, err := target.Worker(b.Context(), n)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	k := uint64(0)
	return func() error {
		for range 3 {
			w.Prepare(k)
			if err := w.Done(w.Do(b.Context(), new(load.Timer))); err != nil {
				return err
			}
			k++
		}
		return nil
	}
}
