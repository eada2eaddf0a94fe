package benchrun

import (
	"testing"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/mem"
	"github.com/tarebench/tare/internal/profile/trace"
)

// TestTraceForks: as many forks are traced as are asked for; three if none are.
func TestTraceForks(t *testing.T) {
	for _, c := range []struct {
		forks    int
		command  []string
		want     int
		wantHeap int
	}{
		{job.DefaultProfForks, []string{"tare", "bench"}, trace.Forks, mem.HeapForks},
		{8, []string{"tare", "bench", "--prof-forks", "8"}, 8, mem.HeapForks},
		{1, []string{"tare", "bench", "--prof-forks=1"}, 1, 1},
		{job.DefaultProfForks, []string{"tare", "bench", "--prof-forks=10"}, 10, mem.HeapForks},
		{job.DefaultProfForks, []string{"tare", "bench", "--prof-forks", "10"}, 10, mem.HeapForks},
	} {
		s := &Built{Profilers: profiler.Set{
			{Profiler: trace.Profiler(trace.Config{}), MaxForks: trace.Forks}, {Profiler: mem.Heap(""), MaxForks: mem.HeapForks},
		}}
		s.Run.Config.ProfForks, s.Run.Command = c.forks, c.command
		if got := s.profiles(); len(got) != 2 || got[0].Rounds != c.want || got[1].Rounds != min(c.wantHeap, c.forks) {
			t.Errorf("%q, %d: %+v, want %d forks", c.command, c.forks, got, c.want)
		}
	}
}
