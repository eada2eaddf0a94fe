package load

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/record"
)

// TestLines: what a run of two seconds and a half writes, in which order.
func TestLines(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{
			kinds:   []string{"READ", "UPDATE"},
			prepare: func(_ int, k uint64) int { return int(k / 250) },
			do: func(ctx context.Context, _ int, k uint64, _ *Timer) error {
				if k == 130 {
					return context.DeadlineExceeded
				}
				return pause(ctx, time.Millisecond)
			},
		}
		var l log
		var status []string
		c := Config{Schedule: Schedule{Rate: 200}, Duration: 2500 * time.Millisecond, Phase: record.LoadWarmup}
		c.Status = func(i *Interval) {
			text := fmt.Sprintf("%s %d %v did %.4g of %.4g errors %v", i.Phase, i.Iter, i.Final, i.Achieved, i.TargetRate, i.First)
			for _, lat := range i.Latencies {
				text += fmt.Sprintf(" %s.%s=%d", lat.Kind, lat.Tag, lat.Hist.Count())
			}
			status = append(status, text)
		}
		whole, err := runFake(t, t.Context(), f, c, l.sink)
		if err != nil {
			t.Fatal(err)
		}
		want4 := "warmup 0 true did 200 of 200 errors map[timeout:context deadline exceeded]" +
			" READ.response=249 READ.service=249 READ.lateness=249 READ.failed=1" +
			" UPDATE.response=250 UPDATE.service=250 UPDATE.lateness=250"
		if len(status) != 4 || status[3] != want4 {
			t.Errorf("status:\n%q\nwant three intervals and\n%q", status, want4)
		}
		var kinds []string
		for _, line := range l.lines {
			switch line := line.(type) {
			case *record.Load:
				kinds = append(kinds, fmt.Sprintf("load %d", line.Iter))
			case *record.Hist:
				kinds = append(kinds, fmt.Sprintf("hist %d %s.%s %s", line.Iter, line.Name, line.Tag, line.Unit))
			default:
				t.Errorf("%T", line)
			}
		}
		want := []string{
			"load 1", "hist 1 READ.response ns", "hist 1 READ.service ns", "hist 1 READ.lateness ns", "hist 1 READ.failed ns",
			"load 2", "hist 2 READ.response ns", "hist 2 READ.service ns", "hist 2 READ.lateness ns",
			"hist 2 UPDATE.response ns", "hist 2 UPDATE.service ns", "hist 2 UPDATE.lateness ns",
			"load 3", "hist 3 UPDATE.response ns", "hist 3 UPDATE.service ns", "hist 3 UPDATE.lateness ns",
			"load 0",
		}
		if !slices.Equal(kinds, want) {
			t.Errorf("lines\n%q\nwant\n%q", kinds, want)
		}
		if last := l.loads()[3]; !reflect.DeepEqual(*last, whole.Load) || !last.Final || last.Iter != 0 {
			t.Errorf("the last line %+v is not what was returned, %+v", last, whole.Load)
		}
	})
}

// TestLateGenerator: lateness of workers that were waiting is recorded as such,
// and from a millisecond on the machine is warned about.
func TestLateGenerator(t *testing.T) {
	for _, tt := range []struct {
		late time.Duration
		want []string
	}{
		{0, nil},
		{300 * time.Microsecond, nil},
		{2 * time.Millisecond, []string{diagnosis.GeneratorLate}},
	} {
		inBubble(t, func(t *testing.T) {
			tm := bubble()
			tm.virtual = func() pace.Clock { return &tardy{late: tt.late} }
			var l log
			c := Config{Schedule: Schedule{Rate: 100}, Operations: 100}
			f := &fake{do: takes(200 * time.Microsecond)}
			got, err := run(t.Context(), f, c.filled(), l.sink, tm)
			if err != nil {
				t.Fatal(err)
			}
			h := latency(t, got, "OP", record.TagLateness).Hist
			if h.Count() != 100 || h.Min() != int64(tt.late) || h.Max() != int64(tt.late) {
				t.Errorf("lateness of %d from %v to %v, want %v", h.Count(), time.Duration(h.Min()), time.Duration(h.Max()), tt.late)
			}
			if r := latency(t, got, "OP", record.TagResponse).Hist; r.Max() != int64(tt.late+200*time.Microsecond) {
				t.Errorf("response %v", time.Duration(r.Max()))
			}
			if d := l.warnings(); !slices.Equal(d, tt.want) {
				t.Errorf("%v: warnings %v, want %v", tt.late, d, tt.want)
			}
		})
	}
}

// TestResolution: a median response time below the generator's lateness is not resolvable. Service times count from
// sending.
func TestResolution(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		tm := bubble()
		tm.virtual = func() pace.Clock { return &tardy{late: 300 * time.Microsecond, every: 20} }
		var l log
		c := Config{Schedule: Schedule{Rate: 100}, Operations: 100}
		f := &fake{do: takes(200 * time.Microsecond)}
		if _, err := run(t.Context(), f, c.filled(), l.sink, tm); err != nil {
			t.Fatal(err)
		}
		if d := l.warnings(); !slices.Equal(d, []string{diagnosis.NotResolvable}) {
			t.Errorf("warnings %v, want one, about the response time", d)
		}
	})
}

// A tardy clock wakes its worker up late, each time or every so many times.
type tardy struct {
	late         time.Duration
	every, waits int
}

func (c *tardy) Now() int64 { return clock.Now() }

func (c *tardy) Wait(due int64) (now int64, waited bool, err error) {
	waited = c.Now() < due
	if waited {
		time.Sleep(time.Duration(due - c.Now()))
		if c.waits++; c.every == 0 || c.waits%c.every == 0 {
			time.Sleep(c.late)
		}
	}
	return c.Now(), waited, nil
}

// TestClockGoesBack: a clock that goes back gives no negative times, and a warning.
func TestClockGoesBack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		tm := bubble()
		tm.virtual = func() pace.Clock { return new(backwards) }
		var l log
		got, err := run(t.Context(), nothing{}, Config{Operations: 100}.filled(), l.sink, tm)
		if err != nil {
			t.Fatal(err)
		}
		if h := latency(t, got, "OP", record.TagService).Hist; h.Count() != 100 || h.Negative() != 0 {
			t.Errorf("%d values, %d negative", h.Count(), h.Negative())
		}
		if d := l.warnings(); !slices.Equal(d, []string{diagnosis.ClockBackwards}) {
			t.Error(d)
		}
	})
}

type backwards struct{ n int64 }

func (c *backwards) Now() int64 {
	c.n--
	return clock.Now() + c.n
}

func (c *backwards) Wait(due int64) (int64, bool, error) { return due, false, nil }
