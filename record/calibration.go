package record

// Calibration is what was found when the N of a case was searched.
type Calibration struct {
	Target  int64   `json:"target"`            // time that an iteration is to take, ns
	Time    int64   `json:"time"`              // that one of N operations takes alone, ns, as compared with Target
	Untimed int64   `json:"untimed,omitempty"` // of an iteration of N operations outside of the benchmark's timer, ns
	Fixed   int64   `json:"fixed,omitempty"`   // of an iteration of one operation outside of the benchmark's timer, ns
	Limit   int64   `json:"limit"`             // more than this outside of the timer means stopped timers or long set-up, ns
	Lost    float64 `json:"lost,omitempty"`    // share of the search's wall time in which it waited for a processor, 0 … 1
	Forks   int     `json:"forks"`             // that were run
	Brief   bool    `json:"brief,omitempty"`   // N was not confirmed, because the budget was too short

	Looks []CalibrationLook `json:"looks,omitempty"` // one for each N that was tried, in ascending order
}

// CalibrationLook is what iterations of N operations took while N was searched.
type CalibrationLook struct {
	N  int64   `json:"n"`
	Ns float64 `json:"ns"` // by the benchmark's timer, the shortest of them, ns
}

// Replan says that the N of a case was wrong, and is another one from here on. The timing forks of the case before this
// line do not count. Forks of the same rounds follow it.
type Replan struct {
	Case  int    `json:"case"`  // ID of its [Case], of which a line with the new N follows
	Round int    `json:"round"` // after this round
	From  int64  `json:"from"`  // old N
	To    int64  `json:"to"`    // new N
	Forks int    `json:"forks"` // timing forks of the case that do not count
	Time  int64  `json:"time"`  // that an iteration of From operations took alone, ns
	Why   string `json:"why"`   // one line
}
