package env

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// CPUTimes is the time that all CPUs of the machine together have spent in each state since boot. It counts in
// steps of 10 ms (see [UserHZ]), so shares of a short time are coarse. A field wraps around after 292 years of
// CPU time, which a large machine reaches in a year or two. Sub handles that.
type CPUTimes struct {
	User    time.Duration // includes time spent running guests
	Nice    time.Duration
	System  time.Duration
	Idle    time.Duration
	IOWait  time.Duration // idle while waiting for I/O; may go backwards
	IRQ     time.Duration
	SoftIRQ time.Duration
	Steal   time.Duration // ready to run while the hypervisor ran another guest
}

// UserHZ is the number of ticks per second in times that Linux reports to programs. It is part of the kernel's
// interface: 100 on every architecture that Go supports (include/uapi/asm-generic/param.h; getconf CLK_TCK),
// whatever the kernel's real tick.
const UserHZ = 100

const tick = time.Second / UserHZ

// Sub returns the times spent since before. A counter that went backwards, as idle and iowait may, counts as
// unchanged.
func (t CPUTimes) Sub(before CPUTimes) CPUTimes {
	d := func(after, before time.Duration) time.Duration { return max(after-before, 0) } // right even after a wrap
	return CPUTimes{
		User:    d(t.User, before.User),
		Nice:    d(t.Nice, before.Nice),
		System:  d(t.System, before.System),
		Idle:    d(t.Idle, before.Idle),
		IOWait:  d(t.IOWait, before.IOWait),
		IRQ:     d(t.IRQ, before.IRQ),
		SoftIRQ: d(t.SoftIRQ, before.SoftIRQ),
		Steal:   d(t.Steal, before.Steal),
	}
}

// Busy returns the time in which CPUs ran code of this machine.
func (t CPUTimes) Busy() time.Duration {
	return t.User + t.Nice + t.System + t.IRQ + t.SoftIRQ
}

// Total returns the sum of all fields: wall time multiplied by the number of CPUs.
func (t CPUTimes) Total() time.Duration { return t.Busy() + t.Idle + t.IOWait + t.Steal }

// Steal returns the CPU time that a hypervisor stole between two readings, and its share of all CPU time in
// between, from 0 to 1.
func Steal(before, after CPUTimes) (stolen time.Duration, share float64) {
	d := after.Sub(before)
	return d.Steal, ratio(d.Steal, d.Total())
}

func ratio(a, b time.Duration) float64 {
	if b <= 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// CPUReader reads [CPUTimes] repeatedly from an open file, without allocating. It must be used by one
// goroutine at a time.
type CPUReader struct {
	f   *os.File
	buf [512]byte // the first line has at most 11 fields of 20 digits
}

// OpenCPU opens the machine's CPU times. It fails on systems other than Linux.
func OpenCPU() (*CPUReader, error) { return openCPU("/proc/stat") }

func openCPU(name string) (*CPUReader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("cpu times are not available: %w", err)
	}
	return &CPUReader{f: f}, nil
}

// Read reads the times. It took 6.4 µs on a machine with 2 CPUs and takes longer on a larger one (see go test
// -bench ReadCPU), because the kernel produces the whole file, with all CPUs and interrupts.
func (r *CPUReader) Read() (CPUTimes, error) {
	n, err := r.f.ReadAt(r.buf[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return CPUTimes{}, fmt.Errorf("cpu times are not available: %w", err)
	}
	t, err := parseCPUTimes(r.buf[:n])
	if err != nil {
		return CPUTimes{}, fmt.Errorf("cpu times are not available: %s: %w", r.f.Name(), err)
	}
	return t, nil
}

// Close closes the file.
func (r *CPUReader) Close() error { return r.f.Close() }

// ReadCPU reads the times once. To read them repeatedly use [OpenCPU].
func ReadCPU() (CPUTimes, error) {
	r, err := OpenCPU()
	if err != nil {
		return CPUTimes{}, err
	}
	defer r.Close()
	return r.Read()
}

var (
	errNoCPULine = errors.New(`does not begin with a line "cpu"`)
	errCPULine   = errors.New("the line of all CPUs is malformed")
)

// parseCPUTimes reads the first line of /proc/stat (proc_stat(5)). The guest
// times that follow the eight fields are contained in user and nice.
func parseCPUTimes(b []byte) (CPUTimes, error) {
	if len(b) < 4 || string(b[:4]) != "cpu " {
		return CPUTimes{}, errNoCPULine
	}
	var v [8]time.Duration
	i := 4
	for f := range v {
		for i < len(b) && b[i] == ' ' {
			i++
		}
		start := i
		var n uint64
		for ; i < len(b) && '0' <= b[i] && b[i] <= '9'; i++ {
			n = n*10 + uint64(b[i]-'0')
		}
		// Reject a missing number, one with more digits than a counter has, and one cut off by the buffer.
		if i == start || i-start > 20 || i == len(b) || b[i] != ' ' && b[i] != '\n' {
			return CPUTimes{}, errCPULine
		}
		v[f] = time.Duration(n * uint64(tick))
	}
	return CPUTimes{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]}, nil
}
