package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/record"
)

// clean copies a record without the directories of the machine it is from.
func clean(out io.Writer, in io.Reader, name string) error {
	w := record.NewWriter(out)
	for line, err := range record.NewReader(in, name).All() {
		if err != nil {
			return err
		}
		switch l := line.(type) {
		case *record.Run:
			l.Dir = ""
			for i := range l.Command {
				switch {
				case i == 0:
					l.Command[i] = "tare"
				case l.Command[i-1] == "-o" || l.Command[i-1] == "--output" || l.Command[i-1] == "--resume":
					l.Command[i] = filepath.Base(l.Command[i])
				}
			}
		case *record.Bin:
			l.Dir = "."
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Err()
}

// keep writes a cleaned and packed copy of a record.
func keep(from, to string) error {
	in, err := open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err == nil {
		err = clean(z, in, from)
	}
	if err == nil {
		err = z.Close()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}
