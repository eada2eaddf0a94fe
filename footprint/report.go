package footprint

// Report lists the memory that is reachable from some values, by type. The rows add
// up to the totals.
type Report struct {
	Bytes    int64 `json:"bytes"`    // of blocks on the heap
	Objects  int64 `json:"objects"`  // on the heap
	Rounding int64 `json:"rounding"` // part of Bytes beyond the objects' own sizes

	// StaticBytes of StaticObjects belong to the program itself: constants and
	// package-level variables. They are not in Bytes.
	StaticBytes   int64 `json:"static_bytes"`
	StaticObjects int64 `json:"static_objects"`

	// Inside counts objects, among Objects, that are parts of larger blocks: a cut
	// slice, a substring, a field, a time.Timer. No pointer with a type leads to the
	// rest of these blocks.
	Inside int64 `json:"inside"`

	// Beyond is the size in bytes of those rests. They are alive, too, but not in
	// Bytes. Where the sizes of blocks are not known, NotFollowed says so.
	Beyond int64 `json:"beyond"`

	Rows        []Row `json:"rows"`         // by bytes, the largest first; static ones last
	NotFollowed []Gap `json:"not_followed"` // not included in the figures; by count, the largest first
	WalkBytes   int64 `json:"walk_bytes"`   // peak memory of the walk itself
}

// Row is the memory of one type.
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
