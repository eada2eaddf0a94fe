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
