package exit

import "io"

// Output is standard output that remembers the first error of writing to it. A verb may
// write without looking at errors; the command fails all the same.
type Output struct {
	w   io.Writer
	err error
}

// NewOutput returns an Output that writes to w.
func NewOutput(w io.Writer) *Output { return &Output{w: w} }

func (o *Output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Fd returns the descriptor of the file that is written to, or an invalid descriptor if the output is not a file.
func (o *Output) Fd() uintptr {
	if f, ok := o.w.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// Err returns the first error of writing, with exit code [Failure].
func (o *Output) Err() error {
	if o.err == nil {
		return nil
	}
	return Failed(o.err, "")
}
