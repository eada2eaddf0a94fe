package benchorder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// Collector puts the lines that several machines send, in any order of machines, into one record file with a run for each.
// Until Close they are in a file for each machine, named PATH.MACHINE.part, so that nothing that was measured is lost
// with this process. It is safe for concurrent use.
type Collector struct {
	path, group string

	mu    sync.Mutex
	names []string // in the order of their first lines
	parts map[string]*os.File
}

// NewCollector returns a Collector of the runs of a group, for the file path.
func NewCollector(path, group string) *Collector {
	return &Collector{path: path, group: group, parts: map[string]*os.File{}}
}

// Line takes the next line of a machine's record, without the newline. The first must be a run that names the machine and the
// group. It fails for a first line that is not, for a line that is not one, and for a file that cannot be written.
func (c *Collector) Line(machine string, text []byte) error {
	if !bytes.HasPrefix(text, []byte("{")) || bytes.ContainsAny(text, "\n\r") || len(text) >= record.MaxLine {
		return fmt.Errorf("%s sent something that is not a line of a record", machine)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	part := c.parts[machine]
	if part == nil {
		var err error
		if part, err = c.begin(machine, text); err != nil {
			return err
		}
	} else if bytes.HasPrefix(text, []byte(`{"k":"run"`)) {
		return fmt.Errorf("%s sent a second run", machine)
	}
	_, err := termtext.JSON(part).Write(append(bytes.ToValidUTF8(text, []byte("\uFFFD")), '\n'))
	return err
}

// begin opens the file of a machine.
func (c *Collector) begin(machine string, text []byte) (*os.File, error) {
	line, err := record.NewReader(bytes.NewReader(append(bytes.Clone(text), '\n')), machine).Next()
	if err != nil {
		return nil, err
	}
	run, ok := line.(*record.Run)
	if !ok || run.Machine != machine || run.Group != c.group || !label.MatchString(machine) {
		return nil, fmt.Errorf("%s did not begin with its run of %s", machine, c.group)
	}
	part, err := os.OpenFile(c.part(machine), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	c.names, c.parts[machine] = append(c.names, machine), part
	return part, nil
}

func (c *Collector) part(machine string) string { return c.path + "." + machine + ".part" }

// Machines returns the names of the machines that have sent lines, in the order of their first.
func (c *Collector) Machines() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.names...)
}

// Close writes the record file, whole or not at all, and removes the files of machines if it could. Without lines there is
// no file.
func (c *Collector) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.names) == 0 {
		return nil
	}
	err := session.ReplaceFile(c.path, func(w *os.File) error {
		for _, name := range c.names {
			if _, err := c.parts[name].Seek(0, io.SeekStart); err != nil {
				return err
			}
			if _, err := io.Copy(w, c.parts[name]); err != nil {
				return err
			}
		}
		return nil
	})
	for _, name := range c.names {
		err = errors.Join(err, c.parts[name].Close())
	}
	if err != nil {
		return err
	}
	for _, name := range c.names {
		err = errors.Join(err, os.Remove(c.part(name)))
	}
	c.names, c.parts = nil, map[string]*os.File{}
	return err
}
