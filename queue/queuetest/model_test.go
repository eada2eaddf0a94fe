package queuetest

import "testing"

// TestModel steps through short sequences. The last operation of each must be
// possible or not.
func TestModel(t *testing.T) {
	put := func(ids ...byte) operation { return operation{kind: enqueue, ids: ids, n: len(ids)} }
	refuse := func(n int, ids ...byte) operation { return operation{kind: enqueue, ids: ids, n: n} }
	take := func(ids ...byte) operation { return operation{kind: dequeue, ids: ids, n: max(1, len(ids))} }
	maySpuriouslyFail := func(op operation) operation { op.maySpuriouslyFail = true; return op }
	said := func(op operation) operation { op.closed = true; return op }
	late := func(op operation) operation { op.late = true; return op }
	part := func(turn, of byte, op operation) operation { op.turn, op.of = turn, of; return op }
	plain := fifo{capacity: 2, producers: 2, clients: 1}
	hides := fifo{capacity: 4, producers: 1, clients: 1, buffered: true, unflushed: 2}
	for _, c := range []struct {
		name string
		spec fifo
		ops  []operation
		want bool
	}{
		{"in order", plain, []operation{put(2), put(3), take(2), take(3)}, true},
		{"out of order", plain, []operation{put(2), put(3), take(3)}, false},
		{"twice", plain, []operation{put(2), take(2), take(2)}, false},
		{"never put in", plain, []operation{put(2), take(0)}, false},
		{"over capacity", plain, []operation{put(2), put(3), put(4)}, false},
		{"full", plain, []operation{put(2), put(3), refuse(0, 4)}, true},
		{"falsely full", plain, []operation{put(2), refuse(0, 4)}, false},
		{"maySpuriouslyFail full", plain, []operation{put(2), maySpuriouslyFail(refuse(0, 4))}, true},
		{"empty", plain, []operation{put(2), take(2), take()}, true},
		{"falsely empty", plain, []operation{put(2), take()}, false},
		{"maySpuriouslyFail empty", plain, []operation{put(2), maySpuriouslyFail(take())}, true},
		{"peek leaves it", plain, []operation{put(2), {kind: peek, ids: []byte{2}, n: 1}, take(2)}, true},
		{"batch, cut short", plain, []operation{refuse(2, 2, 4, 6), take(2, 4)}, true},
		{"batch, turned round", plain, []operation{put(4, 2)}, false},
		{"overtook its own producer", plain, []operation{put(4), take(4), put(2)}, false},
		{"other producers may be older", plain, []operation{put(4), take(4), put(3)}, true},
		{"parts in order", plain, []operation{put(2, 4), part(0, 2, take(2)), part(1, 2, take(4))}, true},
		{"parts out of order", plain, []operation{put(2, 4), part(1, 2, take(2))}, false},
		{"hidden", hides, []operation{put(1), put(2), take()}, true},
		{"hidden and yet there", hides, []operation{put(1), put(2), take(1)}, true},
		{"too many hidden", hides, []operation{put(1), put(2), put(3), take()}, false},
		{"hidden after Flush", hides, []operation{put(1), {kind: flush}, take()}, false},
		{"too many hidden when full", hides, []operation{put(1, 2, 3), put(4), refuse(0, 5), take(1), take()}, false},
		{"closed", plain, []operation{put(2), {kind: closing}, take(2), said(take())}, true},
		{"closed but not empty", plain, []operation{put(2), {kind: closing}, said(take())}, false},
		{"not closed", plain, []operation{said(take())}, false},
		{"refused though not closed", plain, []operation{said(refuse(0, 2))}, false},
		{"refused when closed", plain, []operation{{kind: closing}, said(refuse(0, 2))}, true},
		{"in after Close", plain, []operation{{kind: closing}, put(2)}, false},
		{"in while closing", plain, []operation{{kind: closing}, late(put(2)), take(2), said(take())}, true},
		{"in after a consumer saw the end", plain, []operation{{kind: closing}, said(take()), late(put(2))}, false},
		{"out though refused", plain, []operation{{kind: closing}, late(said(refuse(0, 2))), take(2)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			state, ok := c.spec.init(), true
			for i, op := range c.ops {
				if ok, state = c.spec.step(state, &op); !ok && i < len(c.ops)-1 {
					t.Fatalf("%v was not possible", &op)
				}
			}
			if ok != c.want {
				t.Errorf("the last operation was possible: %v, want %v", ok, c.want)
			}
		})
	}
}
