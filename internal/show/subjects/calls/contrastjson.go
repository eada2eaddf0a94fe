package calls

import "encoding/json"

// contrastObject is a contrast for programs.
type contrastObject struct {
	Mode      string  `json:"mode"`
	Interval  float64 `json:"interval_ns"`
	Looks     int64   `json:"looks"`
	Functions []Seen  `json:"functions"`
	Others    []other `json:"others"` // that sampling saw, and that have no probes
	Tracing   cost    `json:"tracing"`
	Sampling  cost    `json:"sampling"`

	Plain    int64     `json:"plain_ns,omitempty"` // of the program by itself
	Warnings []Warning `json:"warnings,omitempty"`
}

type other struct {
	Name string  `json:"name"`
	Self int64   `json:"self_ns"`
	Part float64 `json:"share"`
}

type cost struct {
	Took float64 `json:"took_ns"`
	Wall int64   `json:"wall_ns,omitempty"`
}

// MarshalJSON writes all functions.
func (x *Contrast) MarshalJSON() ([]byte, error) {
	o := contrastObject{
		Mode: x.how.Mode, Interval: tenth(x.interval()), Looks: x.how.Samples, Functions: []Seen{}, Others: []other{},
		Tracing:  cost{tenth(x.calls.added()), int64(x.runs.Traced)},
		Sampling: cost{tenth(float64(x.how.Samples) * x.how.SampleCost), int64(x.runs.Sampled)},
		Plain:    int64(x.runs.Plain), Warnings: x.calls.warnings,
	}
	for _, s := range x.Functions {
		s.Traced, s.Corrected, s.Error, s.Call = tenth(s.Traced), tenth(s.Corrected), tenth(s.Error), tenth(s.Call)
		o.Functions = append(o.Functions, s)
	}
	for _, f := range x.Others {
		o.Others = append(o.Others, other{f.Name, f.Self, x.view.Share(f.Self)})
	}
	return json.Marshal(&o)
}
