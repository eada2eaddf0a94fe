package caches

// A Cache is one library, set up for read-through of int keys and int values.
type Cache interface {
	// Session returns what one goroutine uses the cache through. Sessions have
	// the buffers that a library's types ask for, so that no get pays for them.
	Session() Session
	// Settle waits for writes that the library has buffered.
	Settle()
	// Len counts the entries that are really held, after Settle. It may take as
	// long as it needs.
	Len() int
	// Close ends the library's goroutines; the cache is not used again.
	Close()
}

// A Session is used by one goroutine.
type Session interface {
	// Get returns the value of the key, which is loaded if the cache has it not.
	Get(key int) int
	// Put stores a value without loading.
	Put(key, value int)
}

// A Kind is one library as the suite knows it. What it says of a library is printed
// beside the figures.
type Kind struct {
	Name   string // in the benchmark's name
	Module string // import path; empty for those that are none
	// Flight says how concurrent misses of one key are loaded.
	Flight Flight
	// Low and High bound the entries held by a cache that was asked for 1, once
	// it is full: the slack that the library's documentation or design leaves.
	// High is 0 for a cache without bound.
	Low, High float64
	// Floor marks what is no cache, but the cost of the harness.
	Floor bool
	Note  string // one line
	New   func(entries, keys int, src *Source) (Cache, error)
}

// A Flight says what happens when two goroutines miss the same key at a time.
type Flight string

const (
	Single Flight = "single" // one loads, the others wait
	Double Flight = "double" // the library loads, each for itself
	ByHand Flight = "none"   // the library does not load: get, load and set
	NoLoad Flight = "–"      // nothing is ever missed
)

// All lists the caches, in the order of their names; none and map, which are no
// caches, come last.
func All() []Kind {
	return []Kind{
		bigcacheKind, freecacheKind, lruKind, otterKind, ristrettoKind, sturdycKind, theineKind, ttlcacheKind,
		mapKind, noneKind,
	}
}
