package cli

import (
	"testing"

	"github.com/tarebench/tare/internal/profiler/mem"
	"github.com/tarebench/tare/internal/profiler/trace"
)

// TestTraceForks: as many forks are traced as are asked for; three if none are.
func TestTraceForks(t *testing.T) {
	for _, c := range []struct {
		forks    int
		command  []string
		resumed  []string
		want     int
		wantHeap int
	}{
		{defaultProfForks, []string{"tare", "bench"}, nil, trace.Forks, mem.HeapForks},
		{8, []string{"tare", "bench", "--prof-forks", "8"}, nil, 8, mem.HeapForks},
		{1, []string{"tare", "bench", "--prof-forks=1"}, nil, 1, 1},
		{defaultProfForks, []string{"tare", "bench", "--prof-forks=10"}, nil, 10, mem.HeapForks},
		{defaultProfForks, []string{"tare", "bench", "--resume", "x"}, []string{"tare", "bench", "--prof-forks", "10"}, 10, mem.HeapForks},
	} {
		s := &benchSession{command: c.command, profs: []knownProfiler{
			{Profiler: trace.Profiler(trace.Config{}), forks: trace.Forks}, {Profiler: mem.Heap(), forks: mem.HeapForks},
		}}
		s.run.Config.ProfForks, s.run.Command = c.forks, c.resumed
		if got := s.profiles(); len(got) != 2 || got[0].Rounds != c.want || got[1].Rounds != min(c.wantHeap, c.forks) {
			t.Errorf("%q of %q, %d: %+v, want %d forks", c.command, c.resumed, c.forks, got, c.want)
		}
	}
}
