package alloc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/tarebench/tare/record"
)

// maxFile is the largest accepted file of counts in bytes: a full table with long names needs about 30 MB.
const maxFile = 256 << 20

// counts is what the part in the process counted in one iteration; see toolchain/_testing/parts/alloc_write.go.
type counts struct {
	Objects int64   `json:"objects"` // by package testing
	Bytes   int64   `json:"bytes"`
	Stacks  []stack `json:"stacks"`
	Frames  []frame `json:"frames"`
}

// stack is where objects of one type and size were allocated.
type stack struct {
	Type    string `json:"t"`
	Size    int64  `json:"s"` // bytes of the slot
	Objects int64  `json:"o"`
	Frames  []int  `json:"f"` // indexes, innermost first
}

// frame is a called or inlined function.
type frame struct {
	Func string `json:"n"`
	File string `json:"p"`
	Line int    `json:"l"`
}

// readCounts reads the counts of an iteration.
func readCounts(dir string, iter int) (*counts, error) {
	f, err := os.Open(filepath.Join(dir, strconv.Itoa(iter)+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("iteration %d left no counts", iter)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || st.Size() > maxFile {
		return nil, fmt.Errorf("the counts of iteration %d are too large", iter)
	}
	c := new(counts)
	if err := json.NewDecoder(f).Decode(c); err != nil {
		return nil, fmt.Errorf("the counts of iteration %d: %w", iter, err)
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("the counts of iteration %d: %w", iter, err)
	}
	return c, nil
}

// check returns an error for what the part in the process cannot have written.
func (c *counts) check() error {
	const most = 1 << 50 // bytes, and objects
	for i, s := range c.Stacks {
		if s.Objects < 1 || s.Size < 0 || s.Size > most || s.Objects > most/max(1, s.Size) {
			return fmt.Errorf("stack %d has %d objects of %d bytes", i+1, s.Objects, s.Size)
		}
		for _, f := range s.Frames {
			if f < 0 || f >= len(c.Frames) {
				return fmt.Errorf("stack %d has frame %d of %d", i+1, f, len(c.Frames))
			}
		}
	}
	return nil
}

// unseen returns what package testing counted and no stack has.
func (c *counts) unseen() record.AllocCount {
	u := record.AllocCount{Objects: c.Objects, Bytes: c.Bytes}
	for _, s := range c.Stacks {
		u.Objects -= s.Objects
		u.Bytes -= s.Objects * s.Size
	}
	return u
}
