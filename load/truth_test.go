package load

import (
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// TestTruth: one worker, a rate R and operations that take S each. The k-th is
// answered S + k(S - 1/R) after it was due, exactly.
func TestTruth(t *testing.T) {
	tests := []struct {
		service, period time.Duration
		duration        time.Duration
	}{
		{4 * time.Millisecond, time.Millisecond, 60 * time.Second},
		{3 * time.Millisecond, 2 * time.Millisecond, 7 * time.Second},
		{time.Millisecond, time.Millisecond, time.Second},
		{time.Second, 10 * time.Millisecond, 5 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.service.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var l log
				c := Config{Schedule: Schedule{Rate: float64(time.Second / tt.period)}, Duration: tt.duration}
				got, err := runFake(t, t.Context(), &fake{do: takes(tt.service)}, c, l.sink)
				if err != nil {
					t.Fatal(err)
				}
				started := int64((tt.duration + tt.service - 1) / tt.service)
				scheduled := int64(tt.duration / tt.period)
				want := new(hist.Histogram)
				var last time.Duration
				for k := range started {
					last = tt.service + time.Duration(k)*(tt.service-tt.period)
					want.Record(int64(last))
				}
				if got.Started != started || got.Completed != started || got.Scheduled != scheduled || got.Unsent != scheduled-started {
					t.Errorf("%+v, want %d of %d started", got.Load, started, scheduled)
				}
				response := latency(t, got, "OP", record.TagResponse).Hist
				if !response.Equal(want) || response.Max() != int64(last) || response.Min() != want.Min() {
					t.Errorf("response times from %v to %v, want %v to %v, or the buckets differ",
						time.Duration(response.Min()), time.Duration(response.Max()), tt.service, last)
				}
				service := latency(t, got, "OP", record.TagService).Hist
				if service.Count() != started || service.Min() != int64(tt.service) || service.Max() != int64(tt.service) {
					t.Errorf("%d service times from %v to %v, want %v", service.Count(),
						time.Duration(service.Min()), time.Duration(service.Max()), tt.service)
				}
				if unsent := scheduled - started; unsent > 0 {
					oldest := tt.duration - time.Duration(started)*tt.period
					if got.UnsentOldest != int64(oldest) {
						t.Errorf("the oldest of %d unsent is %v old, want %v", unsent, time.Duration(got.UnsentOldest), oldest)
					}
				}
				for _, line := range l.loads() {
					checkIdentity(t, line)
				}
				t.Logf("%+v %v", got.Load, l.warnings())
			})
		})
	}
}
