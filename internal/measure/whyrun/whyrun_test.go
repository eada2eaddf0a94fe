package whyrun

import (
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/result"
)

// TestRun: few forks of all benchmarks come first, then all forks of those that changed, with profilers. Jobs share nothing
// that the command line gave, and their iterations are of one length.
func TestRun(t *testing.T) {
	changed := &result.Result{Comparisons: []result.Comparison{
		{Name: "A", Main: true, Unit: "ns/op", Verdict: "slower", Ratio: 1.5}, {Name: "B", Main: true, Unit: "ns/op", Verdict: "equivalent", Ratio: 1},
	}}
	run := func(res *result.Result) (jobs []job.Bench, found *Found) {
		c := Config{Job: job.DefaultBench(), Choice: Choice{Most: 3}, Dir: t.TempDir()}
		c.Job.Budget, c.Job.Given = time.Minute, job.Given{"time": true}
		c.Measure = func(j *job.Bench, path string) (*result.Result, error) {
			jobs = append(jobs, *j)
			return res, nil
		}
		found, err := Run(c)
		if err != nil {
			t.Fatal(err)
		}
		return jobs, found
	}
	jobs, found := run(changed)
	if len(jobs) != 2 || found.Layouts != nil {
		t.Fatalf("%d jobs, layouts %v", len(jobs), found.Layouts)
	}
	first, second := jobs[0], jobs[1]
	if first.Forks != firstForks || first.Bench != "." || len(first.Profilers) > 0 || first.Budget != 20*time.Second {
		t.Errorf("first: %+v", first)
	}
	if second.Forks != 20 || second.Bench != "^BenchmarkA$" || !slices.Equal(second.Profilers, Profilers) || second.Budget < 59*time.Second || second.Budget%time.Millisecond != 0 {
		t.Errorf("second: %+v", second)
	}
	for _, j := range jobs {
		if j.ShortIterations || j.Given != nil {
			t.Errorf("short iterations %v, given %v", j.ShortIterations, j.Given)
		}
	}
	changed.Comparisons[0].Verdict, changed.Comparisons[0].Ratio = "equivalent", 1
	if jobs, found = run(changed); len(jobs) != 1 || found.Result != changed {
		t.Errorf("nothing changed, and %d jobs ran", len(jobs))
	}
	c := Config{Job: job.DefaultBench(), Dir: t.TempDir(), Measure: func(*job.Bench, string) (*result.Result, error) { return &result.Result{}, nil }}
	if _, err := Run(c); err == nil {
		t.Error("no error, and no benchmark ran on both sides")
	}
}
