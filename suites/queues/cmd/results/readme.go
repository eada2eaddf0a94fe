package main

import (
	"bytes"
	"fmt"
	"os"
)

// The table of the README stands between these lines.
const (
	beginMark = "<!-- ratios: written by go run ./cmd/results -->"
	endMark   = "<!-- end of ratios -->"
)

// splice replaces what stands between the marks.
func splice(text, table []byte) ([]byte, error) {
	before, rest, ok := bytes.Cut(text, []byte(beginMark+"\n"))
	_, after, ended := bytes.Cut(rest, []byte(endMark))
	if !ok || !ended {
		return nil, fmt.Errorf("no lines %q and %q to write between", beginMark, endMark)
	}
	return bytes.Join([][]byte{before, []byte(beginMark + "\n\n"), bytes.TrimSpace(table), []byte("\n\n" + endMark), after}, nil), nil
}

// writeReadme puts the table into the README.
func (res *result) writeReadme(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var table bytes.Buffer
	res.ratios(&table)
	out, err := splice(text, table.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, out, 0o666)
}
