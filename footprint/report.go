package footprint

// Report says what some values weigh: the memory that is reachable from them.
// The rows add up to the totals.
type Report struct {
	Bytes    int64 `json:"bytes"`    // on the heap, as the allocator hands it out
	Objects  int64 `json:"objects"`  // on the heap
	Rounding int64 `json:"rounding"` // of Bytes: what the allocator adds to the objects' own sizes

	// StaticBytes of StaticObjects belong to the program itself: constants and
	// package-level variables. They are not in Bytes.
	StaticBytes   int64 `json:"static_bytes"`
	StaticObjects int64 `json:"static_objects"`

	// Inside counts objects, among Objects, that are part of blocks whose rest no
	// pointer with a type leads to. The blocks are larger than what is counted.
	Inside int64 `json:"inside"`

	Rows        []Row `json:"rows"`         // by bytes, the largest first; static ones last
	NotFollowed []Gap `json:"not_followed"` // what is not in the figures, by count
	WalkBytes   int64 `json:"walk_bytes"`   // what the walk itself needed at its peak
}

// Row is what is known of a type.
type Row struct {
	Type     string `json:"type"`
	Objects  int64  `json:"objects"`  // allocations, not values: a slice has one array
	Bytes    int64  `json:"bytes"`    // with Rounding
	Rounding int64  `json:"rounding"` // unused ends of blocks, in whole words, and their headers
	Static   bool   `json:"static"`   // part of the program
}

// Gap is something that the walk could not follow.
type Gap struct {
	What  string `json:"what"`  // such as "unsafe.Pointer"
	Where string `json:"where"` // a type, or the name of a function
	Count int64  `json:"count"`
}
