package loadtext

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

func TestErrorsAndTraffic(t *testing.T) {
	s := &result.Result{Load: &result.Load{
		Phase: record.LoadRun, ClosedLoop: true, Operations: 20_000, Errors: 3106, Verdict: "verdict",
		Failures: []result.Failure{
			{Name: "GET", Class: "server", Status: "503", Count: 3100, Share: 0.155, First: "http: GET http://127.0.0.1:1: status 503 Service Unavailable"},
			{Name: "GET", Class: "timeout", Count: 6, Share: 0.0003},
		},
		Statuses: map[string]int64{"200": 16_894, "503": 3100}, SentRate: 2048, ReceivedRate: 3 << 20,
	}}
	const want = `unfinished 0 · errors 3106
status 200: 16 894 · status 503: 3100 · sent 2.00 KiB/s · received 3.00 MiB/s
  GET server 503  3100    16 %   first: http: GET http://127.0.0.1:1: status 503 Service Unavailable
  GET timeout        6  0.03 %
`
	var b bytes.Buffer
	Text(&b, s, textpage.Options{UTF8: true, Width: 100})
	if !strings.Contains(b.String(), want) {
		t.Errorf("got\n%s\nwant in it\n%s", b.String(), want)
	}
	b.Reset()
	Markdown(&b, s, textpage.Options{})
	for _, part := range []string{"status 200: 16 894", "- GET server 503: 3100, 16 %, first: http: GET", "- GET timeout: 6, 0.03 %"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("got\n%s\nwant in it %s", b.String(), part)
		}
	}
}
