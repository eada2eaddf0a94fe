// Package grid has sums over tables of numbers and over lists.
package grid

// Width and Height are the numbers of columns and rows of a grid.
const (
	Width  = 1024
	Height = 256
)

// A Grid is a table of numbers.
type Grid [Height][Width]int32

// New returns a grid of numbers that depend on their place.
func New() *Grid {
	g := &Grid{}
	for y := range g {
		for x := range g[y] {
			g[y][x] = int32(x*31+y*17) & 0xffff
		}
	}
	return g
}

// Sum returns the sum of all cells, of which those above the limit count as the limit.
//
//go:noinline
func (g *Grid) Sum(limit int32) int64 {
	var sum int64
	for i := range uint(Width * Height) {
		y, x := i/Width, i%Width
		sum += int64(min(g[y][x], limit))
	}
	return sum
}

// A Node is an element of a list.
type Node struct {
	Next  *Node
	Value int64
}

// List returns a list of n nodes, in the order of their places in memory.
func List(n int) *Node {
	nodes := make([]Node, n)
	order := places(n)
	for i := range n - 1 {
		nodes[order[i]].Next = &nodes[order[i+1]]
		nodes[order[i]].Value = int64(i)
	}
	nodes[order[n-1]].Value = int64(n - 1)
	return &nodes[order[0]]
}

// places returns the places of the nodes of a list.
func places(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// SumList returns the sum of the values.
//
//go:noinline
func SumList(n *Node) int64 {
	var sum int64
	for ; n != nil; n = n.Next {
		sum += n.Value
	}
	return sum
}
