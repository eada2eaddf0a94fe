package scenario

import (
	"sync"
)

// Blocks of rows in sequential order.
const (
	blockRows   = 1024
	blockChunks = blockRows / chunkRows
	blocksKept  = 8
	blocksAhead = 2
)

// readAhead returns rows of a data file in sequential order. A background goroutine reads the next blocks in advance, so that
// sending an operation seldom waits for the disk.
type readAhead struct {
	d      *dataFile
	blocks uint64      // number of blocks in the file
	want   chan uint64 // number of the block in use: the goroutine reads those after it
	done   sync.WaitGroup

	mu   sync.Mutex
	kept [blocksKept]*block // block n is at index n%blocksKept
}

// A block is 1024 consecutive rows; the last one of a file has fewer. It is read-only.
type block struct {
	n    uint64
	data []byte
	rows [][]byte
	err  error
}

func newReadAhead(d *dataFile) *readAhead {
	a := &readAhead{d: d, blocks: (d.rows + blockRows - 1) / blockRows, want: make(chan uint64, 1)}
	a.done.Go(func() {
		for n := range a.want {
			for i := range uint64(blocksAhead) {
				a.block((n + 1 + i) % a.blocks)
			}
		}
	})
	return a
}

func (a *readAhead) close() {
	close(a.want)
	a.done.Wait()
}

// row returns a row, which must not be changed.
func (a *readAhead) row(n uint64) ([]byte, error) {
	b := a.block(n / blockRows)
	if b.err != nil {
		return nil, b.err
	}
	if n%blockRows == 0 || n%blockRows == blockRows/2 {
		select {
		case a.want <- b.n:
		default: // the goroutine is reading already
		}
	}
	if i := n % blockRows; i < uint64(len(b.rows)) {
		return b.rows[i], nil
	}
	return nil, errChanged
}

// block returns a block, and reads it if it is not kept.
func (a *readAhead) block(n uint64) *block {
	a.mu.Lock()
	b := a.kept[n%blocksKept]
	a.mu.Unlock()
	if b != nil && b.n == n {
		return b
	}
	b = a.d.readBlock(n)
	a.mu.Lock()
	a.kept[n%blocksKept] = b
	a.mu.Unlock()
	return b
}

// readBlock reads a block and finds its rows.
func (d *dataFile) readBlock(n uint64) *block {
	b := &block{n: n}
	if b.data, b.err = d.chunks(n*blockChunks, blockChunks, nil); b.err != nil {
		return b
	}
	for rest := b.data; len(rest) > 0; {
		var row []byte
		row, rest = nextRow(rest, d.csv)
		if row = trimRow(row); len(row) > 0 {
			b.rows = append(b.rows, row)
		}
	}
	return b
}
