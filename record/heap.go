package record

// AttachHeap is the name of a fork's attachment with the contents of its heap: JSON
// of a [Heap].
const AttachHeap = "heap"

// AttachHeapProfile is the name of the attachment with the same in pprof's format: a
// gzipped profile.proto.
const AttachHeapProfile = "heap.pb.gz"

// Heap holds what occupied the heap of a fork after garbage collection while the
// measured values were alive, less what was there before the first call of the
// benchmark function. Counts are estimates: the runtime samples allocations. Bytes
// are those of the allocator's slots; objects below 16 bytes without pointers count
// by the slots of 16 bytes that they share.
type Heap struct {
	When    string     `json:"when"`               // HeapInLoop or HeapMidRun
	Rate    int        `json:"rate"`               // mean number of bytes per sample
	Growth  int64      `json:"growth"`             // of the live heap since before, as the runtime counts it
	Bytes   int64      `json:"bytes"`              // of Sites and Rest; the profile missed the difference from Growth
	Objects int64      `json:"objects"`            // of Sites and Rest; the profile missed the difference from Growth
	Sites   []HeapSite `json:"sites"`              // most bytes first
	Rest    HeapSite   `json:"rest"`               // all sites that are not listed
	NoTypes string     `json:"no_types,omitempty"` // why no site has a type
}

// When a heap was read.
const (
	HeapInLoop = "loop"    // in the last call of b.Loop
	HeapMidRun = "mid-run" // while a benchmark that loops over b.N ran
)

// HeapSite is a line of source that allocated objects of a type.
type HeapSite struct {
	Func string   `json:"func,omitempty"` // with the path of its package
	File string   `json:"file,omitempty"` // as the compiler knew it
	Line int      `json:"line,omitempty"`
	Type string   `json:"type,omitempty"` // as reflect writes it, of a map or slice the whole; "": not known
	Path []string `json:"path,omitempty"` // most frequent call path: the caller, its caller, …

	Bytes   int64   `json:"bytes"`
	Objects int64   `json:"objects"`
	SD      float64 `json:"sd,omitempty"` // standard deviation of Bytes that comes from sampling
}
