package profiler

import "github.com/tarebench/tare/record"

// An Interpreter converts what its part in the measured process attached. It has more at hand than that part: the
// binary, and any package.
type Interpreter interface {
	Profiler

	// Interpret is called after a fork that has attachments with the profiler's name. It gets them in order, and the
	// path of the
	// binary that ran. The returned lines replace them in the record; the caller sets IDs. An error becomes a warning.
	Interpret(binary string, said []*record.Attach) ([]record.Line, error)
}
