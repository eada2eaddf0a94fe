package load

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/tarebench/tare/record"
)

// failing is a target whose operations fail in known ways.
type failing struct{}

func (failing) Kinds() []string                                 { return []string{"READ", "WRITE"} }
func (failing) Worker(_ context.Context, _ int) (Worker, error) { return &failingWorker{}, nil }
func (failing) Close() error                                    { return nil }

type failingWorker struct {
	k    uint64
	done int64
}

func (w *failingWorker) Prepare(k uint64) int { w.k = k; return int(k % 2) }

func (w *failingWorker) Do(context.Context, *Timer) error {
	w.done++
	switch {
	case w.k%10 == 1:
		return WithStatus("503", WithClass(ClassServer, fmt.Errorf("status 503 of %d", w.k)))
	case w.k%10 == 3:
		return WithStatus("500", WithClass(ClassServer, errors.New("status 500")))
	case w.k%20 == 4:
		return errors.New("READ is broken, token=sentinel")
	case w.k%10 == 6:
		return ErrNotFound
	}
	return nil
}

func (w *failingWorker) AddTraffic(t *Traffic) {
	t.AddStatus("200", w.done)
	t.AddStatus("404", 0)
	t.Sent += 10
	t.Received += 20
}

func (w *failingWorker) Done(err error) error { return err }
func (w *failingWorker) Close() error         { return nil }

func TestFailures(t *testing.T) {
	var lines []*record.Load
	total, err := Run(t.Context(), failing{}, Config{Workers: 1, Operations: 100}, func(l record.Line) error {
		if l, ok := l.(*record.Load); ok {
			lines = append(lines, l)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []record.Failure{
		{Name: "WRITE", Class: ClassServer, Status: "500", Count: 10, First: "status 500"},
		{Name: "WRITE", Class: ClassServer, Status: "503", Count: 10, First: "status 503 of 1"},
		{Name: "READ", Class: ClassOther, Count: 5, First: "READ is broken, token=***"},
	}
	last := lines[len(lines)-1]
	for _, got := range [][]record.Failure{total.Failures, last.Failures} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("failures %+v, want %+v", got, want)
		}
	}
	if n := last.Errors[ClassNotFound]; n != 10 || last.Errors[ClassServer] != 20 {
		t.Errorf("errors %v", last.Errors)
	}
	if !reflect.DeepEqual(last.Statuses, map[string]int64{"200": 100}) || last.Sent != 10 || last.Received != 20 {
		t.Errorf("traffic %v, %d, %d", last.Statuses, last.Sent, last.Received)
	}
	for _, l := range lines[:len(lines)-1] {
		for _, f := range l.Failures {
			if f.First != "" {
				t.Errorf("a first error in the line of an interval: %+v", f)
			}
		}
	}
}

func TestStatus(t *testing.T) {
	err := fmt.Errorf("op: %w", WithStatus("503", WithClass(ClassServer, errors.New("busy"))))
	if Status(err) != "503" || Class(err) != ClassServer || err.Error() != "op: busy" {
		t.Errorf("%v: status %q, class %q", err, Status(err), Class(err))
	}
	if WithStatus("1", nil) != nil || Status(nil) != "" || Status(errors.New("x")) != "" {
		t.Error("a status of nothing")
	}
}
