package bitset

import "testing"

func squares(n int) Set {
	s := New(n)
	for i := 0; i*i < n; i++ {
		s.Add(i * i)
		s.Add(n - 1 - i*i)
	}
	return s
}

func TestSet(t *testing.T) {
	s := squares(200_000)
	n, last := 0, -1
	s.Each(func(i int) {
		if i <= last {
			t.Fatalf("%d after %d", i, last)
		}
		n, last = n+1, i
	})
	if n != s.Len() || last != 199_999 {
		t.Errorf("%d of %d, the last is %d", n, s.Len(), last)
	}
}

func BenchmarkLen(b *testing.B) {
	s := squares(500_000)
	n := 0
	for b.Loop() {
		n += s.Len()
	}
}

func BenchmarkEach(b *testing.B) {
	s := squares(500_000)
	n := 0
	for b.Loop() {
		s.Each(func(i int) { n += i })
	}
}
