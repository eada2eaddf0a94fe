// Package journal keeps records in a file, each behind its length.
package journal

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

// bufferSize is how many bytes one system call reads or writes, at most.
const bufferSize = 16 << 10

// A Writer appends records to a file.
type Writer struct {
	file   *os.File
	buf    *bufio.Writer
	header [4]byte
}

// NewWriter returns a writer that appends to a file.
func NewWriter(f *os.File) *Writer {
	return &Writer{file: f, buf: bufio.NewWriterSize(f, bufferSize)}
}

// Append appends a record. It is in the file after the next Flush.
func (w *Writer) Append(record []byte) error {
	binary.LittleEndian.PutUint32(w.header[:], uint32(len(record)))
	if _, err := w.buf.Write(w.header[:]); err != nil {
		return err
	}
	_, err := w.buf.Write(record)
	return err
}

// Flush writes what is buffered to the file.
func (w *Writer) Flush() error { return w.buf.Flush() }

// Replay calls f with each record of a file, from its start. The record is valid during the call.
func Replay(file *os.File, f func(record []byte)) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(file, bufferSize)
	var header [4]byte
	var record []byte
	for {
		if _, err := io.ReadFull(r, header[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		n := int(binary.LittleEndian.Uint32(header[:]))
		if cap(record) < n {
			record = make([]byte, n)
		}
		record = record[:n]
		if _, err := io.ReadFull(r, record); err != nil {
			return err
		}
		f(record)
	}
}
