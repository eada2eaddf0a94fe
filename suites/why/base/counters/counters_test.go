package counters

import (
	"strconv"
	"sync"
	"testing"
)

// names returns the names that one worker counts.
func names(worker int) []string {
	all := make([]string, 16)
	for i := range all {
		all[i] = "service/" + strconv.Itoa(worker) + "/requests/by/path/and/status/" + strconv.Itoa(i)
	}
	return all
}

const workers = 4

// count adds one to each name, times over, in several goroutines.
func count(s *Set, all [][]string, times int) {
	var wg sync.WaitGroup
	for _, mine := range all {
		wg.Go(func() {
			for range times {
				for _, name := range mine {
					s.Add(name, 1)
				}
			}
		})
	}
	wg.Wait()
}

// own returns names of which no two workers have the same shard.
func own() [][]string {
	all := make([][]string, workers)
	for w := range all {
		for i := 0; len(all[w]) < 16; i++ {
			name := "service/requests/by/path/and/status/" + strconv.Itoa(i)
			if int(hash(name)%shardsOfTest)/16 == w {
				all[w] = append(all[w], name)
			}
		}
	}
	return all
}

// shardsOfTest is how many shards own divides between the workers.
const shardsOfTest = 64

func TestAdd(t *testing.T) {
	var s Set
	all := own()
	count(&s, all, 10)
	for _, mine := range all {
		for _, name := range mine {
			if n := s.Get(name); n != 10 {
				t.Fatalf("%s: %d", name, n)
			}
		}
	}
	if n := s.Get(names(9)[0]); n != 0 {
		t.Errorf("a counter that was not counted is %d", n)
	}
}

func BenchmarkAdd(b *testing.B) {
	var s Set
	all := own()
	for b.Loop() {
		count(&s, all, 100)
	}
}

// BenchmarkGet reads one counter from all workers.
func BenchmarkGet(b *testing.B) {
	var s Set
	all := own()
	count(&s, all, 1)
	var wg sync.WaitGroup
	for b.Loop() {
		for range workers {
			wg.Go(func() {
				for range 100 {
					for _, name := range all[0] {
						s.Get(name)
					}
				}
			})
		}
		wg.Wait()
	}
}
