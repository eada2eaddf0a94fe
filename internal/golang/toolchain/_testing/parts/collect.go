package testing

import "runtime"

// tareCollect collects garbage before the timer of an iteration starts, so that none of the set-up or of the iteration
// before is collected in it. Package testing collects before each run, too, but that is before the set-up.
var tareCollect = tarePart{begin: tareCollectBegin}

// tareCollectBegin reads the statistics again, because they were read before it: the collection and what it allocates do
// not count.
func tareCollectBegin(b *B) {
	runtime.GC()
	runtime.ReadMemStats(&memStats)
	b.startAllocs, b.startBytes = memStats.Mallocs, memStats.TotalAlloc
}
