package main

import "time"

// Demo has methods of known length. None is inlined, so that each is a call that can
// have probes, and a frame that can be found.
type Demo struct {
	sleep func(time.Duration) // time.Sleep, but in tests
}

// Sleep1 takes 1 ms, and what the system adds to a sleep.
//
//go:noinline
func (d *Demo) Sleep1() { d.sleep(1 * time.Millisecond) }

// Sleep50 takes 50 ms.
//
//go:noinline
func (d *Demo) Sleep50() { d.sleep(50 * time.Millisecond) }

// Sleep100 takes 100 ms.
//
//go:noinline
func (d *Demo) Sleep100() { d.sleep(100 * time.Millisecond) }

// Sleep500 takes 500 ms.
//
//go:noinline
func (d *Demo) Sleep500() { d.sleep(500 * time.Millisecond) }

// Nothing takes what a call takes.
//
//go:noinline
func (d *Demo) Nothing() {}

// nine makes the nine calls.
func nine(d *Demo) {
	d.Sleep100()
	d.Sleep1()
	d.Sleep100()
	d.Sleep500()
	d.Sleep1()
	d.Sleep100()
	d.Sleep1()
	d.Sleep50()
	d.Sleep50()
}

// mass makes n calls of nothing.
func mass(d *Demo, n int) {
	for range n {
		d.Nothing()
	}
}
