package ycsb

import (
	"errors"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

func TestUnsupported(t *testing.T) {
	tests := []struct {
		workload string
		pairs    []string
		change   func(c *kv.Capabilities)
		want     string
	}{
		{"e", nil, func(c *kv.Capabilities) {}, ""},
		{"e", nil, func(c *kv.Capabilities) { c.Scan = false },
			"ycsb: scanproportion 0.95: not with store of the test, which has no scans; choose a workload without scans (a, b, c, d or f) or a database that has them"},
		{"c", nil, func(c *kv.Capabilities) { c.Scan = false }, ""},
		{"c", nil, func(c *kv.Capabilities) { c.Integrity = false }, ""},
		{"c", []string{"dataintegrity", "true"}, func(c *kv.Capabilities) { c.Integrity = false },
			"ycsb: dataintegrity: not with store of the test, which does not return what was written; leave it out or choose a database that does"},
	}
	for _, tt := range tests {
		s := newStore()
		tt.change(&s.caps)
		_, err := New(workload(t, tt.workload, tt.pairs...), s)
		var unsupported *UnsupportedError
		switch {
		case tt.want == "" && err == nil:
		case err == nil || err.Error() != tt.want || !errors.As(err, &unsupported) || !errors.Is(err, kv.ErrUnsupported):
			t.Errorf("workload %s %q: %v, want %q", tt.workload, tt.pairs, err, tt.want)
		}
	}
}
