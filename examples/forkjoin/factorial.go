package main

import (
	"errors"
	"math/big"
	"runtime"
	"sync"

	"github.com/tarebench/tare/usage"
)

// reduceFactorial multiplies 1 to n one after the other, as a stream is reduced: most products
// are of a large number and a small one.
func reduceFactorial(c config) error {
	c.title("%d! by reduction", c.reduce)
	var one, many *big.Int
	seq := c.measure("sequentialReduce", func() { one = reduce(1, c.reduce) })
	par := c.measure("parallelReduce", func() { many = parallelReduce(1, c.reduce, 4*runtime.GOMAXPROCS(0)) })
	if one.Cmp(many) != 0 {
		return errors.New("the two ways disagree")
	}
	c.compare(seq, par)
	return nil
}

// reduce is lo · (lo+1) · … · hi, and 1 where there is nothing between.
func reduce(lo, hi int) *big.Int {
	product, factor := big.NewInt(1), new(big.Int)
	for i := lo; i <= hi; i++ {
		product.Mul(product, factor.SetInt64(int64(i)))
	}
	return product
}

// parallelReduce reduces parts of the range at the same time, and then their products. It
// gains more than there are processors: the parts are smaller numbers.
func parallelReduce(lo, hi, parts int) *big.Int {
	products := make([]*big.Int, parts)
	var wg sync.WaitGroup
	n := hi - lo + 1
	for i := range products {
		wg.Go(func() { products[i] = reduce(lo+n*i/parts, lo+n*(i+1)/parts-1) })
	}
	wg.Wait()
	for ; len(products) > 1; products = products[:(len(products)+1)/2] { // neighbours, which are of a size
		for i := 0; i < len(products); i += 2 {
			if i+1 < len(products) {
				products[i].Mul(products[i], products[i+1])
			}
			products[i/2] = products[i]
		}
	}
	return products[0]
}

// treeFactorial multiplies halves of the range, and their halves: products are of numbers of
// one size, which is what fast multiplication is for.
func treeFactorial(c config) error {
	c.title("%d! as a tree", c.tree)
	var want *big.Int
	seq := c.measure("serialTree", func() { want = tree(1, c.tree) })
	ways := []struct {
		name string
		mul  multiply
	}{{"parallelTree", (*big.Int).Mul}, {"parallelTreeAndMultiply", parallelMultiply}}
	results := []usage.Usage{seq}
	for _, w := range ways {
		var got *big.Int
		results = append(results, c.measure(w.name, func() { got = parallelTree(1, c.tree, w.mul) }))
		if got.Cmp(want) != 0 {
			return errors.New(w.name + " disagrees with serialTree")
		}
	}
	c.compare(results[0], results[1])
	c.compare(results[0], results[2])
	return nil
}

// leaf is how many factors are multiplied one after the other.
const leaf = 32

func tree(lo, hi int) *big.Int {
	if hi-lo < leaf {
		return reduce(lo, hi)
	}
	mid := lo + (hi-lo)/2
	a, b := tree(lo, mid), tree(mid+1, hi)
	return a.Mul(a, b)
}

// multiply is z = x · y, as of big.Int.Mul.
type multiply func(z, x, y *big.Int) *big.Int

// forkAbove is how many factors are worth a goroutine.
const forkAbove = 1 << 10

func parallelTree(lo, hi int, mul multiply) *big.Int {
	if hi-lo < forkAbove {
		return tree(lo, hi)
	}
	mid := lo + (hi-lo)/2
	var a *big.Int
	var wg sync.WaitGroup
	wg.Go(func() { a = parallelTree(lo, mid, mul) })
	b := parallelTree(mid+1, hi, mul)
	wg.Wait()
	return mul(a, a, b)
}
