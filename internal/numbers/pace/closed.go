package pace

import "math"

// Claim implements [Part].
func (s *Share) Claim(n, ops uint64) (k, end uint64) {
	if ops == 0 {
		ops = math.MaxUint64
	}
	s.closed.mu.Lock()
	defer s.closed.mu.Unlock()
	k, ok := s.find(s.closed.next)
	if !ok || k >= ops {
		s.closed.next = ops // none is left: a worker may have ended for that
		return ops, ops
	}
	end = k + 1
	for ; n > 1; n-- {
		next, ok := s.find(end)
		if !ok || next >= ops {
			break
		}
		end = next + 1
	}
	s.closed.next = end
	return k, end
}

// Claimed implements [Part].
func (s *Share) Claimed() uint64 {
	s.closed.mu.Lock()
	defer s.closed.mu.Unlock()
	return s.Count(s.closed.next)
}
