package main

import (
	"io"

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
			for i, arg := range l.Command {
				if i > 0 && (l.Command[i-1] == "-o" || l.Command[i-1] == "--output") {
					l.Command[i] = "caches.jsonl"
				} else if i == 0 {
					l.Command[i] = "tare"
				} else {
					l.Command[i] = arg
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
