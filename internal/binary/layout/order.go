package layout

import (
	"cmp"
	"slices"
	"strconv"
)

// Order is another order of a struct's fields.
type Order struct {
	Size   int64   `json:"size"`
	Block  int64   `json:"block,omitempty"` // as in Struct
	Fields []Field `json:"fields"`          // the struct's own, with the padding between them
}

// best sorts fields by falling alignment, then by falling size: sizes are
// multiples of alignments, so that there is padding only at the end. Fields
// without size go first, since Go pads a struct that ends with one.
//
// The result is nil if it is not smaller. It is also nil for structs with declared
// padding, because the reason for their order is not known.
func best(n *Node) *Order {
	if slices.ContainsFunc(n.Fields, func(f Node) bool { return f.Role == Pad }) {
		return nil
	}
	order := slices.Clone(n.Fields)
	byAlignment(order)
	o, _ := place(n, order)
	if o.Size >= n.Size {
		return nil
	}
	return o
}

func byAlignment(fields []Node) {
	slices.SortStableFunc(fields, func(a, b Node) int {
		return cmp.Or(cmp.Compare(min(a.Size, 1), min(b.Size, 1)), cmp.Compare(b.Align, a.Align), cmp.Compare(b.Size, a.Size))
	})
}

// separated returns the order with the fields that atomic operations write behind
// the others, each on separate cache lines. The last line is padded, so that the
// next object in memory does not share it. Locks stay with the fields that they
// guard. The result is nil if there are no atomic fields.
func separated(n *Node, line int64) *Order {
	var order, own []Node
	for _, f := range n.Fields {
		switch {
		case f.hottest().role == Atomic:
			own = append(own, f)
		case f.Role != Pad:
			order = append(order, f)
		}
	}
	if own == nil {
		return nil
	}
	byAlignment(order)
	for _, f := range append(own, Node{}) {
		if _, end := place(n, order); end%line != 0 {
			order = append(order, padding(line-end%line))
		}
		if f.Size > 0 {
			order = append(order, f)
		}
	}
	o, _ := place(n, order)
	return o
}

func padding(size int64) Node {
	return Node{Name: "_", Type: "[" + strconv.FormatInt(size, 10) + "]byte", Size: size, Align: 1, Role: Pad}
}

// place computes the offsets of fields in order by the rules of Go's compiler. It also returns the offset at which
// the last one ends.
func place(n *Node, order []Node) (o *Order, end int64) {
	moved := *n
	moved.Fields = slices.Clone(order)
	align := int64(1)
	for i := range moved.Fields {
		f := &moved.Fields[i]
		end = up(end, f.Align)
		f.Offset, f.Open = end, false
		end += f.Size
		align = max(align, f.Align)
	}
	moved.Size = end
	if len(order) > 0 && end > 0 && order[len(order)-1].Size == 0 {
		moved.Size++ // a pointer to the last field must not point behind the struct
	}
	moved.Size = up(moved.Size, align)
	return &Order{Size: moved.Size, Block: blockOf(&moved), Fields: addFields([]Field{}, &moved, Field{Depth: -1})}, end
}

// up rounds up to a multiple.
func up(n, to int64) int64 { return (n + to - 1) / to * to }

// Waste returns how many bytes the best order saves.
func (s *Struct) Waste() int64 {
	if s.Best == nil {
		return 0
	}
	return s.Size - s.Best.Size
}

// SortByWaste sorts structs by how many bytes the best order saves, then by their padding, the most first.
func SortByWaste(structs []*Struct) {
	slices.SortStableFunc(structs, func(a, b *Struct) int {
		return cmp.Or(cmp.Compare(b.Waste(), a.Waste()), cmp.Compare(b.Padding, a.Padding),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name))
	})
}
