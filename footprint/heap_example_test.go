package footprint_test

import (
	"testing"

	"github.com/tarebench/tare/footprint"
)

func fill() map[int]*user {
	users := make(map[int]*user)
	for i := range 1000 {
		users[i] = &user{name: "Ann"}
	}
	return users
}

// In a benchmark, the metrics stand beside ns/op.
func ExampleHeap_Report() {
	benchmark := func(b *testing.B) {
		before := footprint.SettledHeap()
		users := fill()
		for b.Loop() {
			_ = users[7]
		}
		before.Report(b, users)
	}
	_ = benchmark // BenchmarkUsers, run by go test -bench Users
}
