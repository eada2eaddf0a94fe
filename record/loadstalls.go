package record

// Stall says that the system under load answered nobody for a while, as the system itself tells. A pause of tare's own is no Stall.
type Stall struct {
	By     string `json:"by"`     // who tells: the binding
	Start  int64  `json:"start"`  // CLOCK_MONOTONIC ns
	Length int64  `json:"length"` // ns
}

func (*Stall) kind() string { return "stall" }
