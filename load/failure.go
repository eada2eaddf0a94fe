package load

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tarebench/tare/record"
)

// A failure is the key by which errors are counted.
type failure struct {
	kind   int // of the operation
	class  string
	status string // that the server answered, or ""
}

// keepFirst keeps the first error of a class, and of each kind of failure.
func (e *engine) keepFirst(f failure, err error) {
	text := Redact("", err.Error())
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.first[f.class] == "" {
		e.first[f.class] = text
	}
	if e.firstOf == nil {
		e.firstOf = map[failure]string{}
	}
	if e.firstOf[f] == "" {
		e.firstOf[f] = text
	}
}

// firsts returns the first error of each class so far.
func (e *engine) firsts() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.first) == 0 {
		return nil
	}
	return maps.Clone(e.first)
}

// addFailures adds the errors of all workers to a line, the frequent ones first.
func (e *engine) addFailures(l *record.Load) {
	all := map[failure]int64{}
	for _, w := range e.startedWorkers() {
		w.mu.Lock()
		for f, n := range w.failed {
			all[f] += n
		}
		w.mu.Unlock()
	}
	for f, n := range all {
		if l.Errors == nil {
			l.Errors = make(map[string]int64)
		}
		l.Errors[f.class] += n
		if f.class != ClassNotFound && f.kind >= 0 && f.kind < len(e.kinds) { // another kind ends the run
			l.Failures = append(l.Failures, record.Failure{Name: e.kinds[f.kind], Class: f.class, Status: f.status, Count: n})
		}
	}
	slices.SortFunc(l.Failures, func(a, b record.Failure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Status, b.Status))
	})
}

// addFirsts adds the first error of each to the line of a whole phase.
func (e *engine) addFirsts(l *record.Load) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range l.Failures {
		f := &l.Failures[i]
		f.First = e.firstOf[failure{slices.Index(e.kinds, f.Name), f.Class, f.Status}]
	}
}
