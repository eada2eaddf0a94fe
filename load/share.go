package load

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/tarebench/tare/internal/pace"
)

// ErrTooLate is wrapped by the error of [Share.Reassign] for operations that may have been
// decided.
var ErrTooLate = errors.New("the operations may have been claimed already")

// A Share is the part of the operations of a phase that one of several load generators sends.
// Operation k of the phase, from 0, belongs to owners[k mod len(owners)]. Config.First does not
// count in k. What an operation is, and when it is due, does not depend on who sends it.
//
// A Share is for one phase. All methods are safe for concurrent use, also while the phase runs.
type Share struct {
	ops  *pace.Share
	used atomic.Bool // by a phase
}

// NewShare returns the operations of owner me. The pattern has 1 to 65,536 owners, and neither
// they nor me are negative. An owner of no operation is allowed: the phase then sends nothing.
func NewShare(owners []int, me int) (*Share, error) {
	ops, err := pace.NewShare(owners, me)
	if err != nil {
		return nil, fmt.Errorf("load: share: %w", err)
	}
	return &Share{ops: ops}, nil
}

// Reassign gives the operations of the phase from a number on other owners: operation k belongs to
// owners[k mod len(owners)]. It may be called several times, with numbers that do not decrease. The
// error wraps [ErrTooLate], and nothing changes, if from is below [Share.Decided]. Choose a number
// that is due later than idle workers wait for: each has claimed its next operation.
//
// A phase whose share owns nothing from some operation on ends sending once it gets there: all
// operations are then decided.
func (s *Share) Reassign(from uint64, owners []int) error {
	switch err := s.ops.Reassign(from, owners); {
	case errors.Is(err, pace.ErrTooLate):
		return fmt.Errorf("load: share: operations from %d on: %w, and those below %d are decided", from, ErrTooLate, s.Decided())
	case err != nil:
		return fmt.Errorf("load: share: %w", err)
	}
	return nil
}

// Decided returns the number of operations, from 0, whose owners cannot change any more, because
// this load generator has sent them, has claimed them, or has passed them over as those of others.
// It grows while the phase runs.
func (s *Share) Decided() uint64 { return s.ops.Decided() }

// checkShare returns an error for a share that no phase can have.
func (c Config) checkShare() error {
	if c.Share != nil && c.Share.ops == nil {
		return errors.New("share: was not made by NewShare")
	}
	return nil
}

// takeShare takes the configured share for this phase.
func (e *engine) takeShare() error {
	s := e.config.Share
	if s == nil {
		return nil
	}
	if s.used.Swap(true) {
		return errors.New("share: another phase has used it; each phase needs its own")
	}
	e.share = s.ops
	if e.config.Schedule.closed() {
		e.numbers = pace.NewNumbers(e.share, e.config.Operations)
	}
	return nil
}

// mineBelow returns how many of the operations below k, from 0, this load generator sends.
func (e *engine) mineBelow(k uint64) uint64 {
	if e.share == nil {
		return k
	}
	return e.share.Count(k)
}

// nextMine returns the first operation from k on that this load generator sends, as the target
// gets them; the highest number if there is none.
func (e *engine) nextMine(k uint64) uint64 {
	if e.share == nil {
		return k
	}
	mine, ok := e.share.Next(k - e.config.First)
	if !ok {
		return math.MaxUint64
	}
	return e.config.First + mine
}

// partAt returns which part of the rate around operation k this load generator sends.
func (e *engine) partAt(k uint64) float64 {
	if e.share == nil {
		return 1
	}
	return e.share.Part(k)
}

// meanPart returns which part of the operations that fell due this load generator was to send.
func (e *engine) meanPart() float64 {
	if e.share == nil {
		return 1
	}
	return e.share.MeanPart(e.ledger.due.Passed())
}
