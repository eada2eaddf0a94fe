package result

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestMemoryLimit: forks above GOMEMLIMIT get a warning, wherever the limit was set. The binary's pages do not count.
func TestMemoryLimit(t *testing.T) {
	const mib = 1 << 20
	for _, x := range []struct {
		name         string
		config       record.Config
		env          string
		side         []string
		peak, binary int64
		want         string
	}{
		{name: "no limit", peak: 40 * mib},
		{name: "above", config: record.Config{MemoryLimit: "25165824"}, peak: 45 * mib, binary: 5 * mib, want: "GOMEMLIMIT is 24.0 MiB, and its forks had 40.0 MiB"},
		{name: "the binary", config: record.Config{MemoryLimit: "25165824"}, peak: 30 * mib, binary: 5 * mib},
		{name: "environment", env: "24MiB", peak: 40 * mib, want: "24.0 MiB"},
		{name: "off", env: "off", peak: 40 * mib},
		{name: "flag", env: "24MiB", config: record.Config{Setenv: []string{"GOMEMLIMIT=64MiB"}}, peak: 40 * mib},
		{name: "side", config: record.Config{MemoryLimit: "67108864"}, side: []string{"GOMEMLIMIT=24MiB"}, peak: 40 * mib, want: "24.0 MiB"},
		{name: "unknown peak", env: "24MiB"},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := NewBuilder()
			b.run = &record.Run{Config: x.config, Env: record.Env{GOMEMLIMIT: x.env}, Sides: []record.Side{{Name: "other", Setenv: []string{"GOMEMLIMIT=1MiB"}}, {Name: "s", Setenv: x.side}}}
			b.bins[7] = &record.Bin{ID: 7, Size: x.binary}
			c := &caseData{line: record.Case{Side: "s"}}
			for range 3 {
				c.timed = append(c.timed, forkData{line: record.Fork{Bin: 7, MaxRSS: x.peak}})
			}
			text := ""
			if w := b.aboveMemoryLimit(c); w != nil {
				text = w.Text
			}
			if (text == "") != (x.want == "") || !strings.Contains(text, x.want) {
				t.Errorf("got %q, want %q", text, x.want)
			}
		})
	}
}
