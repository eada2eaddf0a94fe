package weave

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// ArenaConfig says what one run of a woven program may write.
type ArenaConfig struct {
	// Dir is where the file is. Default: shared memory (/dev/shm) where there is any
	// with room, which no disk slows down, else the directory of temporary files.
	Dir string

	// Size bounds what is kept, in bytes: 3 KiB for each goroutine that is alive, 1
	// for each call of its tree. What finds no room is counted as lost. Default:
	// DefaultSize; at most 4 GiB.
	Size int64

	// Path is how many calls of the execution path are kept, 32 bytes each, besides
	// Size. Default: none.
	Path int

	// Monotonic reads the kernel's clock instead of the processor's counter, which
	// takes longer: for machines where the counter is no clock.
	Monotonic bool

	// Loose does not wait for a function's body to be done before the counter is read
	// at its end: a probe takes 5 ns less, and times are too short by what the processor
	// has under way, up to 40 ns a call. Not with Monotonic.
	Loose bool
}

// DefaultSize is that of an arena, in bytes.
const DefaultSize = 64 << 20

const (
	minSize = 1 << 20
	maxSize = 4<<30 - 1<<20 // offsets in it have 32 bits
	envName = "TARE_WEAVE"
)

// Arena is the file that the probes of one process write to. It is complete up to the
// moment in which the process ends, however it does.
type Arena struct {
	Path string
}

// NewArena makes one for a run of the woven program. It is for the first process that
// finds it: one that this starts, or that comes later, runs without counting.
func (w *Woven) NewArena(cfg ArenaConfig) (*Arena, error) {
	if cfg.Size == 0 {
		cfg.Size = DefaultSize
	}
	if cfg.Path < 0 {
		return nil, fmt.Errorf("weave: a path of %d calls", cfg.Path)
	}
	if cfg.Loose && cfg.Monotonic {
		return nil, errors.New("weave: the kernel's clock, and the counter read loosely: want one of the two")
	}
	if w.cfg.CountOnly && cfg.Path > 0 {
		return nil, errors.New("weave: there is no path where calls are only counted")
	}
	used := (pathAt + int64(cfg.Path)*stepBytes + 4095) &^ 4095
	size := used + cfg.Size
	if cfg.Size < minSize || size > maxSize {
		return nil, fmt.Errorf("weave: %d bytes for what is counted and %d for the path: want %d at least, %d at most with the path",
			cfg.Size, used, int64(minSize), int64(maxSize))
	}
	head := make([]byte, hdrBytes)
	put := func(at int, v int64) { binary.NativeEndian.PutUint64(head[at:], uint64(v)) }
	put(hdrMagic, magic)
	put(hdrLayout, version)
	put(hdrSize, size)
	put(hdrFuncs, int64(len(w.Funcs)))
	put(hdrSteps, int64(cfg.Path))
	put(hdrEvery, int64(w.cfg.Every))
	put(hdrPath, pathAt)
	put(hdrUsed, used)
	switch {
	case cfg.Monotonic:
		put(hdrClock, clockKernel)
	case cfg.Loose:
		put(hdrClock, clockLoose)
	}
	if w.cfg.CountOnly {
		put(hdrCounts, 1)
	}
	dirs := []string{cfg.Dir}
	if cfg.Dir == "" {
		dirs = []string{"/dev/shm", os.TempDir()}
	}
	var errs []error
	for _, dir := range dirs {
		path, err := reserve(dir, head, size)
		if err == nil {
			return &Arena{Path: path}, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("weave: no room for what is counted: %w", errors.Join(errs...))
}

// reserve writes the whole file: a page without storage would kill the program with
// SIGBUS when the disk is full.
func reserve(dir string, head []byte, size int64) (path string, err error) {
	f, err := os.CreateTemp(dir, "tare-weave-*")
	if err != nil {
		return "", err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(head); err != nil {
		return "", err
	}
	zeros := make([]byte, 1<<20)
	for at := int64(len(head)); at < size; {
		n, err := f.Write(zeros[:min(int64(len(zeros)), size-at)])
		if err != nil {
			return "", err
		}
		at += int64(n)
	}
	return f.Name(), nil
}

// Env is what the environment of the program needs: NAME=value. The program itself
// does not see it.
func (a *Arena) Env() string { return envName + "=" + a.Path }

// Close removes the file.
func (a *Arena) Close() error { return os.Remove(a.Path) }
