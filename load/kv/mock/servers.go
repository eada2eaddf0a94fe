package mock

import (
	"sync"
	"time"
)

// servers are the k servers of a queue: operations are served in the order in which they come, each as soon as a server is
// free. With Poisson arrivals and exponential delays it is M/M/k.
type servers struct {
	mu   sync.Mutex
	free []int64 // when each server will be free, a heap: the earliest first
}

func newServers(n int) *servers { return &servers{free: make([]int64, n)} }

// serve returns when an operation that comes now will have been served. The order of calls is that in which
// operations came.
func (s *servers) serve(now int64, service time.Duration, stalls *periodic) (end int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	end = stalls.after(max(now, s.free[0]), service)
	s.free[0] = end
	for i := 0; ; { // down to its place
		least, left := i, 2*i+1
		for _, child := range [2]int{left, left + 1} {
			if child < len(s.free) && s.free[child] < s.free[least] {
				least = child
			}
		}
		if least == i {
			return end
		}
		s.free[i], s.free[least] = s.free[least], s.free[i]
		i = least
	}
}
