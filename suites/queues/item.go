package queues

// An Item is what queues of pointers hand over. Items are made before measuring
// and used again and again.
type Item struct{ id int64 }

// many is how many items a producer has. They fit into any first cache, and a
// consumer reads them all.
const many = 256

func newItems() []*Item {
	items := make([]*Item, many)
	for i := range items {
		items[i] = &Item{int64(i)}
	}
	return items
}

// Elem is what the elements are.
type Elem string

// The elements that are measured.
const (
	Int64 Elem = "int64"
	Ptr   Elem = "ptr"
)

// sumOf is what the first n elements of a producer add up to: numbers from 0 on,
// or items in turn.
func (e Elem) sumOf(n int64) int64 {
	if e == Int64 {
		return n * (n - 1) / 2 // wraps around as the consumer's sum does
	}
	rounds, rest := n/many, n%many
	return rounds*(many*(many-1)/2) + rest*(rest-1)/2
}
