package main

import (
	"compress/gzip"
	"os"

	"github.com/tarebench/tare/suites/published"
)

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
		err = published.Clean(z, in, from)
	}
	if err == nil {
		err = z.Close()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}
