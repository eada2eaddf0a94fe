package benchorder

import (
	"bytes"
	"fmt"

	"github.com/tarebench/tare/record"
)

// labelled returns line, with the names of machine and group put into the first line of the record.
func (o Order) labelled(line func([]byte) error) func([]byte) error {
	first := true
	return func(text []byte) error {
		if !first {
			return line(text)
		}
		first = false
		out, err := o.labelledRun(text)
		if err != nil {
			return err
		}
		return line(out)
	}
}

// labelledRun returns the first line of a record with the names in it.
func (o Order) labelledRun(text []byte) ([]byte, error) {
	l, err := record.NewReader(bytes.NewReader(append(bytes.Clone(text), '\n')), "the record").Next()
	if err != nil {
		return nil, err
	}
	run, ok := l.(*record.Run)
	if !ok {
		return nil, fmt.Errorf("the record begins with %.40q, not with a run", text)
	}
	run.Machine, run.Group = o.Machine, o.Group
	var b bytes.Buffer
	if err := record.NewWriter(&b).Write(run); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
