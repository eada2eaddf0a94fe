package published

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/record"
)

// Main runs a command and ends the process: with 1 and a line on stderr if it fails.
func Main(name string, run func(args []string, stdout, stderr io.Writer) error) {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// A Chart is a bar chart and the name of its file.
type Chart struct {
	Name string
	Bars chart.Bars
}

// WriteCharts writes each chart to the file PREFIX + its name + ".svg".
func WriteCharts(prefix string, charts []Chart) error {
	for _, c := range charts {
		var out bytes.Buffer
		if err := c.Bars.Write(&out); err != nil {
			return fmt.Errorf("chart %s: %w", c.Name, err)
		}
		if err := os.WriteFile(prefix+c.Name+".svg", out.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Clean copies a record without the directories of the machine on which it was
// made. The name is the input's, for errors.
func Clean(out io.Writer, in io.Reader, name string) error {
	w := record.NewWriter(out)
	for line, err := range record.NewReader(in, name).All() {
		if err != nil {
			return err
		}
		switch l := line.(type) {
		case *record.Run:
			l.Dir = ""
			for i := range l.Sides {
				l.Sides[i].Dir = ""
			}
			cleanCommand(l.Command)
		case *record.Bin:
			l.Dir = "."
		case *record.Attach:
			switch l.Name {
			case record.AttachHeapProfile:
				continue // its sources are named by paths of the machine
			case record.AttachHeap:
				if err := cleanHeap(l); err != nil {
					return fmt.Errorf("%s: what a heap held: %w", name, err)
				}
			}
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	return w.Err()
}

// cleanHeap leaves only the last element of each source's path.
func cleanHeap(a *record.Attach) error {
	var h record.Heap
	if err := json.Unmarshal(a.Data, &h); err != nil {
		return err
	}
	for i, s := range h.Sites {
		if s.File != "" {
			h.Sites[i].File = filepath.Base(s.File)
		}
	}
	var err error
	a.Data, err = json.Marshal(&h)
	return err
}

// cleanCommand leaves only the last element of each path in a command line.
func cleanCommand(args []string) {
	for i := range args {
		if i == 0 {
			args[i] = "tare"
			continue
		}
		switch args[i-1] {
		case "-o", "--output", "--resume":
			args[i] = filepath.Base(args[i])
		}
	}
}
