package instrument

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/tempdir"
)

// ArenaConfig says what one run of a program with probes may write.
type ArenaConfig struct {
	// Dir is where the file is. Default: shared memory (/dev/shm) where there is any
	// with room, which no disk slows down, else the directory of temporary files.
	Dir string

	// Size bounds what is kept, in bytes: 3 KiB for each goroutine that is alive, 1
	// for each call of its tree. Calls that find no room are counted, and not timed.
	// Default: DefaultSize.
	Size int64

	// Path is how many calls of the execution path are kept, 32 bytes each, besides
	// Size. Default: none.
	Path int

	// Monotonic reads the kernel's clock instead of the processor's counter, which
	// takes longer: for machines where the counter is no clock.
	Monotonic bool

	// Windowed counts nothing before the program calls runtime.TareWindow(true).
	Windowed bool
}

// DefaultSize is that of an arena, in bytes.
const DefaultSize = 64 << 20

// MinSize and MaxSize are the limits of an arena's size, in bytes.
const (
	MinSize = 1 << 20
	MaxSize = 3 << 30
)

const (
	mostBytes = 4<<30 - 1<<20 // of the file: offsets in it have 32 bits
	envName   = "TARE_WEAVE"
)

// Arena is the file that the probes of one process write to. It is complete up to the
// moment in which the process ends, however it does.
type Arena struct {
	Path string

	file *tempdir.Place
}

// NewArena makes one for a run of the program. It is for the first process that
// finds it: one that this starts, or that comes later, runs without counting.
func (w *Build) NewArena(cfg ArenaConfig) (*Arena, error) {
	if cfg.Size == 0 {
		cfg.Size = DefaultSize
	}
	if cfg.Path < 0 {
		return nil, fmt.Errorf("a path of %d calls", cfg.Path)
	}
	if w.cfg.CountOnly && cfg.Path > 0 {
		return nil, errors.New("there is no path where calls are only counted")
	}
	over := pathAt + int64(cfg.Path)*stepBytes
	used := (over + 8*int64(len(w.Funcs)) + 4095) &^ 4095
	size := used + cfg.Size
	if cfg.Size < MinSize || cfg.Size > MaxSize || size > mostBytes {
		return nil, fmt.Errorf("%d bytes for what is counted and %d for the path: want %d at least, %d at most with the path",
			cfg.Size, used, int64(MinSize), int64(mostBytes))
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
	put(hdrOver, over)
	put(hdrUsed, used)
	if cfg.Monotonic {
		put(hdrClock, clockKernel)
	}
	if cfg.Windowed {
		put(hdrClosed, 1)
	}
	if w.cfg.CountOnly {
		put(hdrCounts, 1)
	}
	var dirs []string
	if cfg.Dir != "" {
		dirs = append(dirs, cfg.Dir)
	}
	file, err := tempdir.File("calls", head, size, dirs...)
	if err != nil {
		return nil, fmt.Errorf("a place for what is counted: %w", err)
	}
	return &Arena{Path: file.Path, file: file}, nil
}

// Env is what the environment of the program needs: NAME=value. The program itself
// does not see it.
func (a *Arena) Env() string { return envName + "=" + a.Path }

// Close removes the file.
func (a *Arena) Close() error { return a.file.Remove() }
