package profiler

import "github.com/tarebench/tare/record"

// An Interpreter makes sense of what its half in the measured process attached,
// with more at hand than that half has: the binary, and any package.
type Interpreter interface {
	Profiler

	// Interpret is called when a fork has ended that left attachments under the
	// profiler's name. It gets them in the order in which they were said, and the
	// path of the binary that ran. What it returns takes their place in the record;
	// IDs are filled in by the caller. If there is an error besides, it is told as a doubt.
	Interpret(binary string, said []*record.Attach) ([]record.Line, error)
}
