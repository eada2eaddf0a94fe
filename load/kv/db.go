package kv

import (
	"context"

	"github.com/tarebench/tare/load"
)

// Errors that a [Session] returns instead of doing what it was asked for. They may be
// wrapped.
var (
	ErrNotFound    = load.ErrNotFound
	ErrUnsupported = load.ErrUnsupported
)

// A DB is a key-value store under load. Its methods may be called by several
// goroutines at once.
type DB interface {
	Capabilities() Capabilities

	// Session returns what worker n, from 0, works with.
	Session(ctx context.Context, worker int) (Session, error)

	// Close releases everything, and removes what was made for the run alone.
	Close() error
}

// Capabilities says what a database can do, and what must be known to read its figures.
type Capabilities struct {
	Name          string   // "bolt 1.4.3", "redis 8.0 at 127.0.0.1:6379"
	Scan          bool     // Scan works
	Ordered       bool     // and goes in the order of keys
	PartialUpdate bool     // an Update of some fields does not read the others first
	Integrity     bool     // Read returns what was written; false for a mock
	Load          bool     // records must be inserted before the run; false for a mock
	Notes         []string // for the header: "sync=false: commits are not flushed to disk"
	Weak          []string // notes that make results untrustworthy under --strict
}

// A Session is used by one goroutine. Keys and records belong to the caller, who
// reuses them as soon as a method has returned: what is kept must be copied. What
// is read is copied into dst for the same reason: a view into a store would race
// with an update.
//
// Fields are numbers from 0. A nil list of fields means all of them.
type Session interface {
	// Read fills dst, which is emptied first, with the fields of the record under
	// key; ErrNotFound if there is none.
	Read(ctx context.Context, key []byte, fields []int, dst *Record) error

	// Scan reads up to n records from key on, in the order of keys where the store
	// has one, and returns how many there were.
	Scan(ctx context.Context, key []byte, n int, fields []int, dst *Records) (int, error)

	// Update replaces the fields in v and leaves the others; ErrNotFound if there
	// is no record under key, where the store can tell.
	Update(ctx context.Context, key []byte, v *Record) error

	// Insert writes a record. One that is there already is overwritten.
	Insert(ctx context.Context, key []byte, v *Record) error

	// Delete removes a record; ErrNotFound if there is none, where the store can
	// tell.
	Delete(ctx context.Context, key []byte) error

	Close() error
}
