package session

import (
	"bytes"
	"io"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// CopyRecord copies a record from r to w and returns what is in it. path names it in errors. It
// fails before a byte is written if r is no record, and otherwise at the first line that cannot
// be read; what was read until then is returned with the error.
func CopyRecord(w io.Writer, r io.Reader, path string) (*result.Result, error) {
	var head bytes.Buffer
	copied := &diverted{&head}
	in := record.NewReader(io.TeeReader(r, copied), path)
	b := result.NewBuilder()
	first, err := in.Next()
	if err != nil {
		return b.Result(), err
	}
	b.Add(first)
	if _, err := w.Write(head.Bytes()); err != nil {
		return b.Result(), err
	}
	copied.Writer = w
	err = b.ReadAll(in)
	return b.Result(), err
}

// diverted is a writer that can be exchanged.
type diverted struct{ io.Writer }
