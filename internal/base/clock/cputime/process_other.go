//go:build !linux

package cputime

// A Process is another process. On this system nothing is known of it.
type Process struct{}

// Open returns nil, for which nothing is known.
func Open(int) *Process { return nil }

// Close does nothing.
func (p *Process) Close() {}

// CPU is not known on this system.
func (p *Process) CPU() (ns int64, ok bool) { return 0, false }

// Delay is not known on this system.
func (p *Process) Delay() (ns int64, ok bool) { return 0, false }

// OpenIn returns nil.
func OpenIn(string, int) *Process { return nil }

// Stat is not known on this system.
func (p *Process) Stat() (s Stat, ok bool) { return s, false }

// Children are not known on this system.
func Children(pid, most int) []int { return nil }
