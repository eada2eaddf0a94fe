package record

// Stall is a time in which the system under load answered no request, as reported by the system itself. A pause of tare
// is no Stall.
type Stall struct {
	By     string `json:"by"`     // who tells: the binding
	Start  int64  `json:"start"`  // CLOCK_MONOTONIC ns
	Length int64  `json:"length"` // ns
}

func (*Stall) kind() string { return "stall" }
