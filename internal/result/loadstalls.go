package result

import "github.com/tarebench/tare/record"

// maxStalls is how many stalls a Result keeps; their number and time count all of them.
const maxStalls = 10_000

// Stalls are the times in which the system under load answered no operation, by its own account.
type Stalls struct {
	By      string  `json:"by"`
	Count   int64   `json:"count"`
	Total   int64   `json:"total_ns"`
	Longest int64   `json:"longest_ns"`
	Each    []Stall `json:"each,omitempty"` // in the order of the record, up to 10 000
}

// A Stall is one of them.
type Stall struct {
	At     int64 `json:"at_ns"` // since the run began; negative if it began before
	Length int64 `json:"length_ns"`
}

// addStall takes a stall of the phase at hand.
func (d *loadData) addStall(l *record.Stall) {
	p := d.current()
	if p == nil || p.last.Phase != record.LoadRun {
		return
	}
	start := p.start
	if start == 0 && p.hand != nil { // the first interval
		start = p.hand.Start
	}
	if p.stalls == nil {
		p.stalls = &Stalls{By: l.By}
	}
	s := p.stalls
	s.Count++
	s.Total += l.Length
	s.Longest = max(s.Longest, l.Length)
	if len(s.Each) < maxStalls {
		s.Each = append(s.Each, Stall{l.Start - start, l.Length})
	}
}
