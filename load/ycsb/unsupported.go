package ycsb

import "github.com/tarebench/tare/load/kv"

// UnsupportedError says that a workload asks for what a database cannot do. It is
// found before anything is sent.
type UnsupportedError struct {
	DB     string // as the database names itself
	Want   string // the property that asks for it: "scanproportion 0.95"
	Why    string // "it has no scans"
	Advice string // what to choose instead
}

func (e *UnsupportedError) Error() string {
	return e.Want + ": not with " + e.DB + ", " + e.Why + "; " + e.Advice
}

// Unwrap returns [kv.ErrUnsupported].
func (e *UnsupportedError) Unwrap() error { return kv.ErrUnsupported }
