package record

// AttachHeap is the name of the attachment of a fork that says what occupied its
// heap: JSON of a [Heap].
const AttachHeap = "heap"

// AttachHeapProfile is the name of the attachment that says the same in the format
// of pprof: a gzipped profile.proto.
const AttachHeapProfile = "heap.pb.gz"

// Heap says what occupied the heap of a fork when it was settled and what was
// measured was still alive, less what had been there before the benchmark's
// function was first called. Counts are estimates: the runtime samples allocations.
// Bytes are those of the slots of the allocator that objects take, and objects below
// 16 bytes that hold no pointers count by the slots of 16 bytes that they share.
type Heap struct {
	When    string     `json:"when"`               // HeapInLoop or HeapMidRun
	Rate    int        `json:"rate"`               // one sample for so many bytes, on average
	Growth  int64      `json:"growth"`             // of the live heap since before, as the runtime counts it
	Bytes   int64      `json:"bytes"`              // of Sites and Rest; what it differs by from Growth the profile missed
	Objects int64      `json:"objects"`            // likewise
	Sites   []HeapSite `json:"sites"`              // most bytes first
	Rest    HeapSite   `json:"rest"`               // all that are not listed
	NoTypes string     `json:"no_types,omitempty"` // why no site has a type
}

// When a heap was looked at.
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
	Path []string `json:"path,omitempty"` // functions that led there most: the caller, its caller, …

	Bytes   int64   `json:"bytes"`
	Objects int64   `json:"objects"`
	SD      float64 `json:"sd,omitempty"` // standard deviation of Bytes that comes from sampling
}
