package main

import (
	"math/rand/v2"

	"github.com/tarebench/tare/record"
)

// start has the lines of all windows between one start of both servers and the next.
type start lines

// replay puts runs together. Each has as many pairs of windows as the first that was measured, in the given number of starts,
// drawn with replacement from those of all runs. Where both servers are the same, they change sides in half of the starts.
func replay(runs []lines, c config) []lines {
	random := rand.New(rand.NewPCG(c.seed, 0))
	var pool []start
	for _, run := range runs {
		pool = append(pool, startsOf(run)...)
	}
	head := runs[0][0]
	each := max(1, pairsOf(runs[0])/c.starts)
	var out []lines
	for range c.replays {
		run := lines{head}
		pairs := 0
		for i := range c.starts {
			s := pool[random.IntN(len(pool))].some(each, random)
			swap := c.slower == 0 && random.IntN(2) == 0
			run, pairs = s.appendTo(run, i+1, pairs, swap)
		}
		out = append(out, append(run, &record.End{State: record.EndCompleted}))
	}
	return out
}

// pairsOf returns how many pairs of windows there are.
func pairsOf(run lines) int {
	seen := map[int]bool{}
	for _, l := range run {
		if x, ok := l.(*record.Load); ok && x.Final && x.Window != nil {
			seen[x.Window.Pair] = true
		}
	}
	return len(seen)
}

// some returns so many pairs of a start, drawn without replacement, or all if it has no more.
func (s start) some(n int, random *rand.Rand) (out start) {
	of := map[int]start{}
	var pairs []int
	var window start
	for _, l := range s {
		window = append(window, l)
		if x, ok := l.(*record.Load); ok && x.Final {
			if of[x.Window.Pair] == nil {
				pairs = append(pairs, x.Window.Pair)
			}
			of[x.Window.Pair] = append(of[x.Window.Pair], window...)
			window = nil
		}
	}
	random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	for _, p := range pairs[:min(n, len(pairs))] {
		out = append(out, of[p]...)
	}
	return out
}

// startsOf splits a run at its starts. The lines of a window follow each other, up to its final load line.
func startsOf(run lines) []start {
	var out []start
	var window lines
	for _, l := range run {
		load, isLoad := l.(*record.Load)
		_, isHist := l.(*record.Hist)
		if isLoad || isHist {
			window = append(window, l)
		}
		if !isLoad || !load.Final {
			continue
		}
		if w := load.Window; w != nil {
			for len(out) < w.Start {
				out = append(out, nil)
			}
			out[w.Start-1] = append(out[w.Start-1], window...)
		}
		window = nil
	}
	return out
}

// appendTo appends a start's lines as those of the nth start, whose pairs follow others.
func (s start) appendTo(run lines, n, pairs int, swap bool) (lines, int) {
	of := map[int]int{} // pair of windows, by what it was called
	for _, l := range s {
		if load, ok := l.(*record.Load); ok && load.Window != nil {
			x, w := *load, *load.Window
			if of[w.Pair] == 0 {
				of[w.Pair] = pairs + len(of) + 1
			}
			w.Start, w.Pair = n, of[w.Pair]
			if swap {
				w.Side = map[string]string{"a": "b", "b": "a"}[w.Side]
			}
			x.Window = &w
			l = &x
		}
		run = append(run, l)
	}
	return run, pairs + len(of)
}
