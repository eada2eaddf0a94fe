package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	loadhttp "github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
)

// TestSearchErrors: a search takes no rate at which many operations fail, unless the user allows
// that.
func TestSearchErrors(t *testing.T) {
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1)%4 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	for _, c := range []struct {
		slo  string
		want []string
	}{
		{"p50<10s", []string{"missed errors<1%", "GET server 503", "status 503 Service Unavailable"}},
		{"errors<60%", []string{"highest rate that met all objectives: ", "slo: errors<60% met: "}},
	} {
		var out, errs bytes.Buffer
		code := Main(Config{Bindings: []kv.Binding{loadhttp.Binding()}}, []string{"load", "--db", server.URL, "--search", c.slo, "--start", "40", "--most", "80", "--precision", "50%",
			"--duration", "300ms", "--warmup-duration", "0s", "--progress", "none"}, strings.NewReader(""), &out, &errs)
		if code != 0 && code != 3 { // steps of one operation may have none that failed
			t.Errorf("%s: exit %d: %s", c.slo, code, errs.String())
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.slo, want, out.String())
			}
		}
	}
}
