package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tarebench/tare/usage"
)

// sortInts sorts the same random numbers in two ways. They have 32 bits, as an int of Java has.
func sortInts(c config) error {
	c.title("sort %d ints", c.sort)
	xs := make([]int32, c.sort)
	rng := rand.New(rand.NewPCG(c.seed, 0))
	for i := range xs {
		xs[i] = rng.Int32()
	}
	ys := slices.Clone(xs)
	seq := c.measure("sequentialSort", func() { slices.Sort(xs) })

	p := usage.NewPool(0)
	defer p.Close()
	par := c.measure("parallelSort", func() { mergeSort(p, ys) })
	if !slices.Equal(xs, ys) {
		return errors.New("the two ways disagree")
	}
	c.compare(seq, par)
	if c.verbose {
		fmt.Fprintf(c.out, "%v\n\n%v\n\n", p.Workers(), p.Allocated())
	}
	return nil
}

// mergeSort sorts runs of xs on the pool, a few per worker so that none idles
// for long, and merges neighbours until one run is left, to and fro between xs and
// memory that it allocates, which is as long. The last merge is one task: that is what limits it.
func mergeSort(p *usage.Pool, xs []int32) {
	spare := make([]int32, len(xs))
	const perWorker = 4
	runs := perWorker * len(p.Workers().Each)
	ends := make([]int, runs+1) // run i is [ends[i], ends[i+1])
	for i := range ends {
		ends[i] = len(xs) * i / runs
	}
	for i := range runs {
		p.Go(func() { slices.Sort(xs[ends[i]:ends[i+1]]) })
	}
	p.Wait()
	from, to := xs, spare
	for ; len(ends) > 2; from, to = to, from {
		var left []int
		for i := 0; i < len(ends)-1; i += 2 {
			a, b, e := ends[i], ends[min(i+1, len(ends)-1)], ends[min(i+2, len(ends)-1)]
			left = append(left, a)
			p.Go(func() { merge(to[a:e], from[a:b], from[b:e]) })
		}
		p.Wait()
		ends = append(left, len(xs))
	}
	if len(xs) > 0 && &from[0] != &xs[0] {
		copy(xs, from)
	}
}

// merge merges two sorted runs into out.
func merge(out, a, b []int32) {
	for i := range out {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}
