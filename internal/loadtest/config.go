package loadtest

import (
	"context"
	"testing"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// Config says which store is checked, and what it cannot do.
type Config struct {
	// Open opens the store: OpenDB of its binding. The kit fills in the settings,
	// with a table of its own for each check.
	Open func(ctx context.Context, s kv.Settings) (kv.DB, error)

	Props kv.Properties // passed on: the address of the server, say
	URL   string        // likewise

	Keys   Alphabet // what keys may consist of; default Bytes
	Values Alphabet // what values may consist of; default Bytes

	MaxKey    int // the longest key that is tried, in bytes; default 250, at least 32
	MaxValue  int // the longest value that is tried, in bytes; default 64 KiB
	MaxFields int // the most fields that are tried; default 100, at least 10

	// Blind says that the store cannot tell whether what it updates or deletes is
	// there: both succeed on a record that is missing.
	Blind bool

	// LosesUpdates says that of two partial updates of one record at the same time
	// one may be lost, because an update reads and writes without a transaction.
	LosesUpdates bool

	// Embedded says that the store lives in Settings.Dir, or in a temporary
	// directory that Close removes. Then it is checked that data outlive Close in
	// the one, that nothing outlives it in the other, and that a directory cannot
	// be opened twice. Such a test cannot be parallel: TMPDIR is set.
	Embedded bool

	// Server has the kit kill and stop the server. Nil if there is none.
	Server *Server

	Seed uint64 // of random choices; 0 takes one from the clock
}

// Server is how the kit mishandles a server. The functions are called from the
// goroutine of the test, which they may fail.
type Server struct {
	Kill  func(t testing.TB) // ends it at once, as SIGKILL does, and waits for its end
	Start func(t testing.TB) // starts it again at the same address, with its data or without, and waits until it answers

	Stop func(t testing.TB) // makes it hang, as SIGSTOP does; nil skips the checks
	Cont func(t testing.TB) // lets it go on, as SIGCONT does
}

// Alphabet is what keys or values may consist of.
type Alphabet int

const (
	Bytes Alphabet = iota // any bytes
	Text                  // valid UTF-8 without NUL
	Plain                 // ASCII from '!' to '~'
)

const (
	fields    = 10               // of a record, where a check does not say otherwise
	sessions  = 16               // the most that a check opens
	opTimeout = 10 * time.Second // where a check does not say otherwise
)

// Run runs all checks as subtests named for what they check.
func Run(t *testing.T, c Config) {
	c = c.withDefaults()
	for _, check := range checks() {
		t.Run(check.name, func(t *testing.T) {
			if why := check.skip(c); why != "" {
				t.Skip(why)
			}
			check.run(newKit(t, c))
		})
	}
}

func (c Config) withDefaults() Config {
	if c.MaxKey == 0 {
		c.MaxKey = 250
	}
	if c.MaxValue == 0 {
		c.MaxValue = 64 << 10
	}
	if c.MaxFields == 0 {
		c.MaxFields = 100
	}
	if c.Seed == 0 {
		c.Seed = uint64(time.Now().UnixNano())
	}
	return c
}
