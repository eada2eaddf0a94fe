package loadtest

import (
	"context"
	"testing"
	"time"

	"github.com/tarebench/tare/load/kv"
)

// Config is the store to check, and its limits.
type Config struct {
	// Open opens the store: OpenDB of its binding. The kit sets the settings, with a
	// separate table for each check.
	Open func(ctx context.Context, s kv.Settings) (kv.DB, error)

	Props kv.Properties // passed on: the address of the server, say
	URL   string        // passed on: the address of the target

	Keys   Alphabet // what keys may consist of; default Bytes
	Values Alphabet // what values may consist of; default Bytes

	MaxKey    int // limit of keys in bytes; default 250, at least 32
	MaxValue  int // limit of values in bytes; default 64 KiB
	MaxFields int // limit of fields; default 100, at least 10

	// Blind says that the store cannot detect missing records: Update and Delete
	// succeed on them.
	Blind bool

	// LosesUpdates says that one of two concurrent partial updates of a record may be
	// lost, because an update reads and writes without a transaction.
	LosesUpdates bool

	// Embedded says that the store is in Settings.Dir, or in a temporary directory
	// that Close removes. The kit then checks that data in Settings.Dir outlive
	// Close, that a temporary directory does not, and that a directory cannot be
	// opened twice. Such a test cannot be parallel, because it sets TMPDIR.
	Embedded bool

	// Server lets the kit kill and stop the server. Nil if there is none.
	Server *Server

	Seed uint64 // of random choices; 0 takes one from the clock
}

// Server controls a server. The functions are called from the goroutine of the test,
// and may fail it.
type Server struct {
	Kill  func(t testing.TB) // kills it, as SIGKILL does, and waits for its end
	Start func(t testing.TB) // starts it again at the same address, with its data or without, and waits until it answers

	Stop func(t testing.TB) // makes it hang, as SIGSTOP does; nil skips the checks
	Cont func(t testing.TB) // continues it, as SIGCONT does
}

// Alphabet is the set of characters of keys or values.
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

// Run runs all checks as subtests.
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
