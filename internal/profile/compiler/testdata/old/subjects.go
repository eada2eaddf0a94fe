// Package subjects has functions of which each differs from that of another version in one way.
package subjects

// mix can be inlined; the new version has one statement more and cannot.
func mix(a, b int) int {
	a ^= b << 3
	a += b * 7
	b ^= a >> 5
	b += a * 11
	a ^= b << 7
	a += b * 13
	b ^= a >> 9
	a *= b | 1
	b -= a << 2
	b ^= a * 17
	a += b >> 3
	a ^= b << 11
	a += b >> 1
	return a ^ b
}

// total calls a function that the new version cannot inline.
func total(xs []int) (t int) {
	for _, x := range xs {
		t += mix(x, t)
	}
	return t
}

type vector struct{ x, y, z int }

// point returns a vector that the new version allocates.
//
//go:noinline
func point(n int) vector {
	v := vector{n, n + 1, n + 2}
	keep(&v)
	return v
}

// firstEight has a check for each index; the new version has one for all.
//
//go:noinline
func firstEight(xs []int) int {
	return xs[0] + xs[1] + xs[2] + xs[3]
}

// lastOf needs no check; the new version does.
//
//go:noinline
func lastOf(xs []int) int {
	if len(xs) == 0 {
		return 0
	}
	return xs[len(xs)-1]
}

// window checks limits; in the new version of another slice expression, which cannot be wrong.
//
//go:noinline
func window(xs []int, n int) int {
	return len(xs[n:])
}

// frames has a small frame; that of the new version is larger.
//
//go:noinline
func frames(n int) int {
	var buf [8]int
	fill(buf[:], n)
	return buf[n&7]
}

// oldName has another name in the new version.
//
//go:noinline
func oldName(xs []int) int {
	best := 0
	for i, x := range xs {
		if x*i > best {
			best = x * i
		}
	}
	return best + len(xs)/3
}

// moved is 10 lines below in the new version.
//
//go:noinline
func moved(xs []int) int {
	t := 0
	for i := 0; i < len(xs)-1; i++ {
		t += xs[i] - xs[i+1]
		t ^= xs[t&15]
	}
	return t
}

// apply has a closure, which is its second one in the new version.
//
//go:noinline
func apply(xs []int) int {
	t := 0
	each(xs, func(x int) {
		t += x * 3
		t ^= xs[t&7]
	})
	return t
}

// biggest has type parameters in both versions, and checks an index in the new one.
func biggest(xs []int) int { return maxOf(xs) + len(maxName([]string{"a"})) }

//go:noinline
func maxOf[T int | float64](xs []T) T {
	var best T
	for i := range xs {
		if xs[i] > best {
			best = xs[i]
		}
	}
	return best
}

//go:noinline
func maxName[S ~string](xs []S) S {
	var best S
	for _, x := range xs {
		if x > best {
			best = x
		}
	}
	return best
}

// Tree has methods with type parameters.
type Tree[T any] struct{ children []Tree[T] }

//go:noinline
func (t Tree[T]) depth(n int) int {
	if n == 0 || len(t.children) == 0 {
		return 0
	}
	return 1 + t.children[0].depth(n-1)
}

// adder returns a closure, which both versions allocate.
func adder(n int) func() int { return func() int { return n + 1 } }

//go:noinline
func calls(f func() int) int { return f() }

// same is the same in both versions.
//
//go:noinline
func same(xs []int) int {
	p := &vector{x: len(xs)}
	kept = p
	return xs[p.x-1] + mixed(p.x)
}

func mixed(n int) int { return n*3 + 1 }

// pick is inlined into picked; the check is in the code there, too.
func pick(xs []int, i int) int { return xs[i] }

//go:noinline
func picked(xs []int) int { return pick(xs, len(xs)>>1) }

// otherOnly is called only by BenchmarkOther, and checks an index in the new version.
//
//go:noinline
func otherOnly(n int) int {
	return table[n&3]
}

var table [4]int

var kept *vector

//go:noinline
func keep(v *vector) { v.x++ }

//go:noinline
func fill(xs []int, n int) {
	for i := range xs {
		xs[i] = n
	}
}

//go:noinline
func each(xs []int, f func(int)) {
	for _, x := range xs {
		f(x)
	}
}
