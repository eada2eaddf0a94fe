package kv

import (
	"context"

	"github.com/tarebench/tare/load"
)

// Errors of a [Session]. They may be wrapped.
var (
	ErrNotFound    = load.ErrNotFound
	ErrUnsupported = load.ErrUnsupported
)

// A DB is a key-value store under load. Its methods must be safe for concurrent use.
type DB interface {
	Capabilities() Capabilities

	// Session returns the session of worker n, from 0.
	Session(ctx context.Context, worker int) (Session, error)

	// Close releases everything, and removes data that was created for the run alone.
	Close() error
}

// A Staller is a [DB] that knows when it answered no operation, so that reports can show it beside the latencies.
type Staller interface {
	// Stalls returns the stalls that overlap a stretch of time, of CLOCK_MONOTONIC in ns.
	Stalls(from, to int64) []Stall
}

// A Stall is a time in which a database answers no operation.
type Stall struct{ Start, Length int64 } // CLOCK_MONOTONIC ns; ns

// Capabilities says what a database can do, and what is needed to interpret its
// figures.
type Capabilities struct {
	Name          string   // "bolt 1.4.3", "redis 8.0 at 127.0.0.1:6379"
	Scan          bool     // Scan works
	Ordered       bool     // Scan returns records in the order of keys
	PartialUpdate bool     // an Update of some fields does not read the others first
	Integrity     bool     // Read returns what was written; false for a mock
	Load          bool     // records must be inserted before the run; false for a mock
	Notes         []string // printed in the header: "sync=false: commits are not flushed to disk"
	Weak          []string // notes that make results untrustworthy under --strict
}

// A Session is used by one goroutine. Keys and records belong to the caller, who
// reuses them after a method has returned: a session must copy what it keeps. It
// copies what it reads into dst, because a view into a store would race with an
// update.
//
// Fields are numbers from 0. A nil list of fields means all of them.
type Session interface {
	// Read sets dst to the fields of the record under key. It returns ErrNotFound if
	// there is none.
	Read(ctx context.Context, key []byte, fields []int, dst *Record) error

	// Scan reads up to n records from key on, in the order of keys if the store has
	// one, and returns how many there were.
	Scan(ctx context.Context, key []byte, n int, fields []int, dst *Records) (int, error)

	// Update replaces the fields in v and keeps the others. It returns ErrNotFound if
	// there is no record under key and the store can detect that.
	Update(ctx context.Context, key []byte, v *Record) error

	// Insert writes a record. It overwrites an existing one.
	Insert(ctx context.Context, key []byte, v *Record) error

	// Delete removes a record. It returns ErrNotFound if there is none and the store
	// can detect that.
	Delete(ctx context.Context, key []byte) error

	Close() error
}
