package totals

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// Words of the file; see toolchain/_runtime/totals/tare_totals.go.
const (
	wordMagic = iota
	wordClaimed
	wordLength
	wordEnded
	wordBytes
	wordObjects
	wordCycles
	wordGC
	wordPause
	wordProcs
	wordCost
	wordThreads
	wordMissing
	wordErrno
	headerWords
)

// Words of a thread.
const (
	wordID = iota
	wordCPU
	wordUser
	wordSys
	threadWords
)

const (
	magic = "taresums"

	envVar = "TARE_TOTALS"

	noThreads = ^uint64(0) // in the place of an error number: this system tells nothing about threads

	// size of a file: room for 2000 threads.
	size = (headerWords + 2000*threadWords) * 8
)

// Errors of Read.
var (
	ErrNotBegun = errors.New("the program has not begun to count: it is another program, or was built without what counts")
	ErrNotEnded = errors.New("the program ended by a signal, a panic, syscall.Exit or exec, and not by main or os.Exit")
)

// Totals is what a program has used.
type Totals struct {
	Bytes, Objects uint64        // allocated on the heap, including those freed since; exact
	Cycles         uint64        // garbage collections that have ended
	GC             time.Duration // CPU time of those, the runtime's estimate
	Pause          time.Duration // time in which collections had stopped the world
	Procs          int           // GOMAXPROCS
	Cost           time.Duration // what counting took of the program's real time

	Threads   []Thread // that existed at the end
	NoThreads string   // why Threads are not known; "" if they are
}

// Thread is the CPU time of one thread.
type Thread struct {
	ID  int
	CPU time.Duration // exact

	// User and Sys divide CPU, in the ratio of what the kernel reports in steps of 10 ms. Both are 0 where
	// that is less than a step.
	User, Sys time.Duration
}

// File is what the program writes to. It is mapped, so that it survives any end of the process.
type File struct{ place *tempdir.Place }

// New creates the file for one run of a program. The first process that opens it uses it.
func New() (*File, error) {
	head := make([]byte, headerWords*8)
	copy(head, magic)
	binary.NativeEndian.PutUint64(head[wordLength*8:], size)
	p, err := tempdir.File("totals", head, size)
	if err != nil {
		return nil, fmt.Errorf("file for what the program uses: %w", err)
	}
	return &File{p}, nil
}

// Env returns the environment variable for the program, as NAME=value. The program itself cannot see it.
func (f *File) Env() string { return envVar + "=" + f.place.Path }

// Close removes the file. It may be called with nil.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	return f.place.Remove()
}

// Read returns what the program has written. It fails with ErrNotBegun or ErrNotEnded if it has not.
func (f *File) Read() (*Totals, error) {
	text, err := os.ReadFile(f.place.Path)
	if err != nil {
		return nil, fmt.Errorf("what the program used: %w", err)
	}
	return decode(text)
}

// decode reads the text of a file, which the program may have damaged.
func decode(text []byte) (*Totals, error) {
	if len(text) < headerWords*8 || string(text[:len(magic)]) != magic {
		return nil, errors.New("what the program used: the file was damaged")
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(text[i*8:]) }
	switch {
	case word(wordClaimed) == 0:
		return nil, ErrNotBegun
	case word(wordEnded) == 0:
		return nil, ErrNotEnded
	}
	t := &Totals{
		Bytes: word(wordBytes), Objects: word(wordObjects), Cycles: word(wordCycles), Procs: int(word(wordProcs)),
		GC: time.Duration(word(wordGC)), Pause: time.Duration(word(wordPause)), Cost: time.Duration(word(wordCost)),
	}
	room := (len(text)/8 - headerWords) / threadWords
	switch errno, missing := word(wordErrno), word(wordMissing); {
	case errno == noThreads:
		t.NoThreads = "CPU times of threads are read on Linux only, on amd64 and arm64"
	case errno != 0:
		t.NoThreads = fmt.Sprintf("/proc/self/task: error %d", errno)
	case missing > 0:
		t.NoThreads = fmt.Sprintf("the program had %d threads, and %d are kept", word(wordThreads)+missing, word(wordThreads))
	case word(wordThreads) > uint64(room):
		return nil, errors.New("what the program used: the file was damaged")
	default:
		for i := range int(word(wordThreads)) {
			at := headerWords + i*threadWords
			t.Threads = append(t.Threads, thread(word(at+wordID), word(at+wordCPU), word(at+wordUser), word(at+wordSys)))
		}
	}
	return t, nil
}

// thread divides the CPU time of a thread, ns, in the ratio of its ticks.
func thread(id, cpu, user, sys uint64) Thread {
	t := Thread{ID: int(id), CPU: time.Duration(cpu)}
	if ticks := float64(user) + float64(sys); ticks > 0 {
		t.User = time.Duration(float64(cpu) * float64(user) / ticks)
		t.Sys = t.CPU - t.User
	}
	return t
}

// Spread is the sum, minimum, mean and maximum of the CPU times of threads.
type Spread struct{ Sum, Min, Avg, Max time.Duration }

// SpreadOf returns that of some times, zeros of none.
func SpreadOf(times []time.Duration) (s Spread) {
	for i, d := range times {
		s.Sum += d
		s.Max = max(s.Max, d)
		if i == 0 || d < s.Min {
			s.Min = d
		}
	}
	if n := len(times); n > 0 {
		s.Avg = s.Sum / time.Duration(n)
	}
	return s
}

// Times returns a time of each thread: "cpu", or "user" or "sys" of those of which these are known.
func (t *Totals) Times(of string) (out []time.Duration) {
	for _, x := range t.Threads {
		switch known := x.User+x.Sys > 0; {
		case of == "cpu":
			out = append(out, x.CPU)
		case known && of == "user":
			out = append(out, x.User)
		case known && of == "sys":
			out = append(out, x.Sys)
		}
	}
	return out
}
