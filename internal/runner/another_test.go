package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/runlog"
)

// TestAnother: a complete run is logged, and says how far another one may be once five are known.
func TestAnother(t *testing.T) {
	log := filepath.Join(t.TempDir(), "runs.jsonl")
	measure := func(failAt int) string {
		t.Helper()
		rec := openRecord(t)
		f := fakeFound(t, rec, failAt)
		f.RunLog, f.Run.Config.Forks = log, 6
		if err := Measure(newCalibrated(f)); (err == nil) != (failAt == 0) {
			t.Fatal(err)
		}
		text, err := os.ReadFile(rec.Path())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if text := measure(4); strings.Contains(text, `"another"`) {
		t.Error("a run that failed says something about others")
	}
	if text := measure(0); strings.Count(text, `{"k":"another"`) != 2 || strings.Contains(text, `"half"`) {
		t.Error("the first run:\n", text)
	}
	age(t, log, 6)
	text := measure(0)
	if strings.Count(text, `"half":`) != 2 || !strings.Contains(text, `"runs":6`) {
		t.Error("the seventh run:\n", text)
	}
	if x, y := strings.Index(text, `{"k":"another"`), strings.Index(text, `{"k":"end"`); x > y {
		t.Error("it stands after the end")
	}
}

// age replaces a log of one run by n copies of it, 20 minutes apart, the last one 20 minutes ago.
func age(t *testing.T, path string, n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 1 {
		t.Fatalf("%q, %v", text, err)
	}
	machine := strings.Split(strings.SplitAfter(string(text), `"machine":"`)[1], `"`)[0]
	past, err := runlog.Read(path, machine)
	if err != nil || len(past) != 1 {
		t.Fatal(past, err)
	}
	os.Remove(path)
	for i := range n {
		e := past[0]
		e.Time = time.Now().Add(-time.Duration(n-i) * 20 * time.Minute)
		if err := runlog.Append(path, e); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLoopWarnings(t *testing.T) {
	past := make([]runlog.Entry, 8)
	for i := range past {
		past[i] = runlog.Entry{Chain: 1.08 + 0.001*float64(i%2), L3: 17 + float64(i)}
	}
	for what, tt := range map[string]struct {
		now  runlog.Entry
		past []runlog.Entry
		want string
	}{
		"as ever":       {runlog.Entry{Chain: 1.085, L3: 25}, past, ""},
		"slow":          {runlog.Entry{Chain: 1.3, L3: 20}, past, "slow-processor: the processor was 20 % slower than in 8 earlier runs here"},
		"memory":        {runlog.Entry{Chain: 1.08, L3: 130}, past, "busy-memory: loads from the last-level cache took 6.9 times as long"},
		"not measured":  {runlog.Entry{}, past, ""},
		"not known yet": {runlog.Entry{Chain: 2, L3: 200}, past[:4], ""},
	} {
		var got []string
		for _, w := range loopWarnings(tt.now, tt.past) {
			got = append(got, w.Code+": "+w.Text)
		}
		if text := strings.Join(got, "\n"); !strings.HasPrefix(text, tt.want) || tt.want == "" && text != "" {
			t.Errorf("%s: %q, want %q", what, text, tt.want)
		}
	}
}
