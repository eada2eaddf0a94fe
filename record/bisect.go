package record

// Bisect is what a search for the commit that changed a benchmark came to. The forks of each commit are in the record
// like those of a side whose name is that of the commit.
type Bisect struct {
	Pkg    string `json:"pkg"`    // import path
	Name   string `json:"name"`   // of the benchmark
	Metric string `json:"metric"` // ns/op, B/op …
	Better string `json:"better"` // "lower", "higher", or "" if it is not known
	State  string `json:"state"`  // found, nothing, undecided, unusable or searching

	Commits []BisectCommit `json:"commits"`         // GOOD first, then the commits in order, BAD last
	First   string         `json:"first,omitempty"` // hash of the most probable first commit of the new level
	Group   []string       `json:"group,omitempty"` // hashes of First and of the commits that cannot be distinguished from it
	Part    bool           `json:"part,omitempty"`  // First explains a part of the difference: there are other steps
	Merge   bool           `json:"merge,omitempty"` // First has a second parent

	// Ratio is by what factor Metric grows at First, with its 95 % interval; without First it is that of BAD over GOOD. All are
	// 0 if there is no ratio, as with a metric that was 0.
	Ratio float64 `json:"ratio,omitempty"`
	Lo    float64 `json:"lo,omitempty"`
	Hi    float64 `json:"hi,omitempty"`

	Forks   int    `json:"forks"`          // that were measured
	Layouts int    `json:"layouts"`        // random code layouts of each commit; 1: what is found may be one of layout
	Base    string `json:"base,omitempty"` // the revision typed as GOOD, where GOOD is its merge base with BAD instead
}

// BisectCommit is a commit of a [Bisect].
type BisectCommit struct {
	Commit      string  `json:"commit"` // hash
	Subject     string  `json:"subject,omitempty"`
	Probability float64 `json:"p,omitempty"`       // that it is the first of the new level
	Forks       int     `json:"forks,omitempty"`   // measured
	Median      float64 `json:"median,omitempty"`  // of Metric over its forks
	Same        bool    `json:"same,omitempty"`    // its test binary is that of the commit before, or does not contain what it changes
	Skipped     string  `json:"skipped,omitempty"` // why it cannot be measured
}

func (*Bisect) kind() string { return "bisect" }
