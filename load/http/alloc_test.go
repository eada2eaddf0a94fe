//go:build !race

package http

import (
	"net"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

// TestNoAllocation: neither a request nor its response allocates, in whatever way its body ends.
func TestNoAllocation(t *testing.T) {
	for name, text := range map[string]string{
		"length":  "HTTP/1.1 200 OK\r\nDate: x\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
		"chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
		"folded":  "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 5\r\n\r\nhello",
		"empty":   "HTTP/1.1 204 No Content\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			addr := servers.Fake(t, func(c net.Conn) {
				b, answer := make([]byte, 4096), []byte(text)
				for {
					if _, err := c.Read(b); err != nil {
						return
					}
					c.Write(answer)
				}
			})
			w := user(t, kv.Settings{URL: "http://" + addr + "/{k}/{rand:100}", Props: kv.Properties{"http.method": "POST", "http.body": "{k}", "http.timeout": "1h"}})
			k := uint64(0)
			if n := testing.AllocsPerRun(200, func() {
				w.Prepare(k)
				if err := w.Done(w.Do(t.Context(), nil)); err != nil {
					t.Fatal(err)
				}
				k++
			}); n != 0 {
				t.Errorf("%v allocations for each request", n)
			}
		})
	}
}
