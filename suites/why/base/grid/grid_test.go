package grid

import "testing"

func TestSums(t *testing.T) {
	var want int64
	for y := range Height {
		for x := range Width {
			want += int64(min(x*31+y*17, 20000))
		}
	}
	if got := New().Sum(20000); got != want {
		t.Errorf("grid: %d, want %d", got, want)
	}
	if got := SumList(List(100)); got != 4950 {
		t.Errorf("list: %d", got)
	}
	tile := NewTile(10)
	for i := range tile.points {
		tile.points[i] = 1
	}
	if got := tile.Column(3); got != 30 {
		t.Errorf("tile: %d", got)
	}
}

func BenchmarkSum(b *testing.B) {
	g := New()
	var n int64
	for b.Loop() {
		n += g.Sum(30000)
	}
}

func BenchmarkList(b *testing.B) {
	l := List(1 << 17)
	var n int64
	for b.Loop() {
		n += SumList(l)
	}
}

func BenchmarkColumn(b *testing.B) {
	t := NewTile(256)
	n := 0
	for b.Loop() {
		n += t.Column(1024)
	}
}
