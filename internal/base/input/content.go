package input

import (
	"bufio"
	"io"

	"github.com/tarebench/tare/internal/base/input/pagefile"
)

// content reads a file, or of an HTML page the records in it. Which of the two it is, the first Read finds out, so that
// opening a pipe does not wait for its writer.
type content struct {
	in *bufio.Reader
	r  io.Reader // nil before the first Read
}

func newContent(r io.Reader) *content { return &content{in: bufio.NewReader(r)} }

// Read implements [io.Reader].
func (c *content) Read(p []byte) (int, error) {
	if c.r == nil {
		c.r = c.in
		if pagefile.IsPage(c.in) {
			c.r = pagefile.NewReader(c.in)
		}
	}
	return c.r.Read(p)
}
