package ycsb

import "github.com/tarebench/tare/load/kv"

// UnsupportedError means that the database lacks a capability that a workload needs.
// It is returned before any operation is sent.
type UnsupportedError struct {
	DB     string // Capabilities.Name
	Want   string // the property that needs it: "scanproportion 0.95"
	Why    string // "it has no scans"
	Advice string // what to choose instead
}

func (e *UnsupportedError) Error() string {
	return e.Want + ": not with " + e.DB + ", " + e.Why + "; " + e.Advice
}

// Unwrap returns [kv.ErrUnsupported].
func (e *UnsupportedError) Unwrap() error { return kv.ErrUnsupported }
