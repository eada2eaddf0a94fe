package queuetest

// strict are the methods that never fail spuriously, whatever the Config says.
var strict = map[string]bool{"TryEnqueueStrict": true, "TryDequeueStrict": true}

// producerOps returns the operations of a producer. TryEnqueue counts as often as all
// others together, because most programs call it.
func producerOps(m methods[int64]) (ways []func(*client)) {
	add := func(there bool, way func(*client)) {
		if there {
			ways = append(ways, way)
		}
	}
	add(true, func(c *client) { c.put("TryEnqueue", c.m.enqueue) })
	add(m.enqueueStrict != nil, func(c *client) { c.put("TryEnqueueStrict", c.m.enqueueStrict) })
	add(m.enqueueBatch != nil, (*client).putBatch)
	add(m.fill != nil, (*client).fill)
	add(m.flush != nil, (*client).flush)
	add(m.waits.enqueue != nil, (*client).putWaiting)
	add(m.waits.enqueueBatch != nil, (*client).putBatchWaiting)
	return ways
}

// consumerOps returns the operations of a consumer.
func consumerOps(m methods[int64]) (ways []func(*client)) {
	add := func(there bool, way func(*client)) {
		if there {
			ways = append(ways, way)
		}
	}
	add(true, func(c *client) { c.take("TryDequeue", c.m.dequeue, dequeue) })
	add(m.dequeueStrict != nil, func(c *client) { c.take("TryDequeueStrict", c.m.dequeueStrict, dequeue) })
	add(m.peek != nil, func(c *client) { c.take("Peek", c.m.peek, peek) })
	add(m.dequeueBatch != nil, (*client).takeBatch)
	add(m.drain != nil, (*client).drain)
	add(m.all != nil, (*client).all)
	add(m.waits.dequeue != nil, (*client).takeWaiting)
	add(m.waits.dequeueBatch != nil, (*client).takeBatchWaiting)
	add(m.waits.all != nil, (*client).allWaiting)
	return ways
}

func (c *client) produce() { c.choose(c.producing) }
func (c *client) consume() { c.choose(c.consuming) }

func (c *client) choose(ways []func(*client)) {
	i := c.random.IntN(2 * len(ways))
	if i >= len(ways) {
		i = 0
	}
	ways[i](c)
}

func (c *client) put(method string, try func(int64) bool) {
	id := c.nextID()
	if id == 0 {
		return
	}
	op := operation{kind: enqueue, method: method, ids: []byte{id}}
	call := c.clock.Add(1)
	if try(int64(id)) {
		op.n = 1
	}
	c.record(call, op)
}

func (c *client) take(method string, try func() (int64, bool), k kind) {
	op := operation{kind: k, method: method, n: 1}
	call := c.clock.Add(1)
	v, ok := try()
	if ok {
		op.ids = []byte{idOf(v)}
	}
	c.record(call, op)
}

// idOf returns the number of an element, or 0, which no element has, for a value that
// was never in the queue.
func idOf(v int64) byte {
	if v < 1 || v > maxID {
		return 0
	}
	return byte(v)
}

func (c *client) putBatch() {
	op := operation{kind: enqueue, method: "TryEnqueueBatch", ids: c.nextIDs(1 + c.random.IntN(5))}
	vs := make([]int64, len(op.ids))
	for i, id := range op.ids {
		vs[i] = int64(id)
	}
	call := c.clock.Add(1)
	op.n = c.m.enqueueBatch(vs)
	if c.split && op.n > 0 {
		c.recordEnqueued(call, op.method, op.ids[:op.n])
		return
	}
	c.record(call, op)
}

func (c *client) takeBatch() {
	dst := make([]int64, 1+c.random.IntN(5))
	op := operation{kind: dequeue, method: "TryDequeueBatch", n: len(dst)}
	call := c.clock.Add(1)
	n := c.m.dequeueBatch(dst)
	for _, v := range dst[:n] {
		op.ids = append(op.ids, idOf(v))
	}
	if c.split {
		c.recordDequeued(call, op.method, op.ids)
		return
	}
	c.record(call, op)
}

// fill offers several elements by callback. Each element that is taken is an
// operation, and so is a refusal of the first.
func (c *client) fill() {
	limit := 1 + c.random.IntN(3)
	ids := c.nextIDs(limit)
	if len(ids) < limit {
		return
	}
	given := 0
	call := c.clock.Add(1)
	n := c.m.fill(limit, func() int64 {
		given++
		return int64(ids[given-1])
	})
	if n == 0 {
		c.record(call, operation{kind: enqueue, method: "Fill", ids: ids[:1]})
		return
	}
	c.recordEnqueued(call, "Fill", ids[:n])
}

// recordEnqueued records the elements that one call added one by one.
func (c *client) recordEnqueued(call int64, method string, ids []byte) {
	var ops []operation
	for _, id := range ids {
		ops = append(ops, operation{kind: enqueue, method: method, ids: []byte{id}, n: 1})
	}
	c.recordTogether(call, ops)
}

func (c *client) drain() {
	var got []byte
	call := c.clock.Add(1)
	c.m.drain(1+c.random.IntN(4), func(v int64) { got = append(got, idOf(v)) })
	c.recordDequeued(call, "Drain", got)
}

func (c *client) all() {
	var got []byte
	stop := 1 + c.random.IntN(4)
	call := c.clock.Add(1)
	for v := range c.m.all() {
		got = append(got, idOf(v))
		if len(got) == stop {
			break
		}
	}
	c.recordDequeued(call, "All", got)
}

// recordDequeued records the elements that one call took one by one, or that there
// was none.
func (c *client) recordDequeued(call int64, method string, got []byte) {
	if len(got) == 0 {
		c.record(call, operation{kind: dequeue, method: method, n: 1})
		return
	}
	var ops []operation
	for _, id := range got {
		ops = append(ops, operation{kind: dequeue, method: method, ids: []byte{id}, n: 1})
	}
	c.recordTogether(call, ops)
}

// recordTogether records operations that share the interval from call to now and took
// place in this order.
func (c *client) recordTogether(call int64, ops []operation) {
	now := c.clock.Add(1)
	for i, op := range ops {
		if len(ops) > 1 {
			op.client, op.turn, op.of = c.number, byte(i), byte(len(ops))
		}
		c.events = append(c.events, event{c.number, call, now, &op})
	}
}

func (c *client) flush() {
	call := c.clock.Add(1)
	c.m.flush()
	c.record(call, operation{kind: flush, method: "Flush"})
}
