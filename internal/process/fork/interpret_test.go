package fork

import (
	"errors"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// reader interprets what is attached under its name.
type reader struct {
	name  string
	err   error
	calls *[]string
}

func (r reader) Name() string          { return r.name }
func (r reader) Available() error      { return nil }
func (r reader) Needs() profiler.Needs { return profiler.Needs{} }

func (r reader) Interpret(binary string, childMessages []*record.Attach) ([]record.Line, error) {
	text := binary + " " + r.name
	for _, a := range childMessages {
		text += " " + string(a.Data)
	}
	*r.calls = append(*r.calls, text)
	return []record.Line{&record.Attach{Name: r.name, Data: []byte("read")}}, r.err
}

// TestInterpret: each gets its own attachments in order; what it makes of them takes
// their place, and the lines of others stay.
func TestInterpret(t *testing.T) {
	attach := func(name, data string) record.Line { return &record.Attach{Name: name, Data: []byte(data)} }
	var calls []string
	by := []profiler.Interpreter{reader{"a", nil, &calls}, reader{"silent", nil, &calls}, reader{"bad", errors.New("nonsense"), &calls}}
	var w sessions
	rest := interpret(by, "x.test", []record.Line{attach("a", "1"), attach("other", "2"), &record.Hist{Name: "a"}, attach("bad", "3"), attach("a", "4")}, &w)
	if len(calls) != 2 || calls[0] != "x.test a 1 4" || calls[1] != "x.test bad 3" {
		t.Errorf("calls %q", calls)
	}
	if len(rest) != 2 || rest[0].(*record.Attach).Name != "other" || rest[1].(*record.Hist).Name != "a" {
		t.Errorf("the rest is %+v", rest)
	}
	f := record.Fork{ID: 7, Case: 3, State: record.StateOK}
	var names []string
	for _, l := range w.end(&f, &Outcome{}, false) {
		switch l := l.(type) {
		case *record.Attach:
			names = append(names, l.Name)
			if l.Fork != 7 {
				t.Errorf("%s is of fork %d", l.Name, l.Fork)
			}
		case *record.Warn:
			names = append(names, l.Code+": "+l.Text)
		}
	}
	want := []string{"a", "not-available: bad: not available: nonsense", "bad"}
	if len(names) != len(want) || names[0] != want[0] || names[1] != want[1] || names[2] != want[2] {
		t.Errorf("%q, want %q", names, want)
	}
}
