package m

import "sort"

func Sum(n int) (s int) {
	x := make([]int, n)
	for i := range x {
		x[i] = (i * 7919) % n
	}
	sort.Ints(x)
	for i, v := range x {
		s += i * v
	}
	return s
}
