package load

// A TrafficCounter is a [Worker] that counts what the engine does not see.
type TrafficCounter interface {
	// AddTraffic adds what the worker counted since it was made. It is called from
	// another goroutine while operations run.
	AddTraffic(t *Traffic)
}

// Traffic is how many answers workers got, by status, how many bytes they sent and received, and how many rows they read.
type Traffic struct {
	Statuses       map[string]int64 // answers by status, "200" or "OK"
	Sent, Received int64            // bytes on connections, without those of TCP and IP
	Rows           int64            // that statements returned
}

// AddStatus adds answers with a status. It ignores a count of 0.
func (t *Traffic) AddStatus(status string, n int64) {
	if n == 0 {
		return
	}
	if t.Statuses == nil {
		t.Statuses = map[string]int64{}
	}
	t.Statuses[status] += n
}

// traffic returns that of all workers.
func (e *engine) traffic() Traffic {
	var t Traffic
	for _, w := range e.startedWorkers() {
		if c, ok := w.target.(TrafficCounter); ok {
			c.AddTraffic(&t)
		}
	}
	return t
}
