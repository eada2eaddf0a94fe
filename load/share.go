package load

import (
	"fmt"

	"github.com/tarebench/tare/internal/numbers/pace"
)

// ErrTooLate is wrapped by the error of [Share.Reassign] for operations that may have been
// decided.
var ErrTooLate = pace.ErrTooLate

// A Share is the part of the operations of a phase that one of several load generators sends.
// Operation k of the phase, from 0, belongs to owners[k mod len(owners)]. Config.First does not
// count in k. What an operation is, and when it is due, does not depend on who sends it.
//
// A Share is for one phase. All methods are safe for concurrent use, also while the phase runs.
type Share struct {
	ops pace.Part
}

// NewShare returns the operations of owner me. The pattern has 1 to 65,536 owners, and neither
// they nor me are negative. An owner of no operation is allowed: the phase then sends nothing.
func NewShare(owners []int, me int) (*Share, error) {
	ops, err := pace.NewShare(owners, me)
	if err != nil {
		return nil, fmt.Errorf("load: share: %w", err)
	}
	return &Share{ops}, nil
}

// Reassign gives the operations of the phase from a number on other owners: operation k belongs to
// owners[k mod len(owners)]. It may be called several times, with numbers that do not decrease. The
// error wraps [ErrTooLate], and nothing changes, if from is below [Share.Decided]. Choose a number
// that is due later than idle workers wait for: each has claimed its next operation.
//
// A phase whose share owns nothing from some operation on ends sending once it gets there: all
// operations are then decided.
func (s *Share) Reassign(from uint64, owners []int) error {
	if err := s.ops.Reassign(from, owners); err != nil {
		return fmt.Errorf("load: share: %w", err)
	}
	return nil
}

// Decided returns the number of operations, from 0, whose owners cannot change any more, because
// this load generator has sent them, has claimed them, or has passed them over as those of others.
// It grows while the phase runs.
func (s *Share) Decided() uint64 { return s.ops.Decided() }

// mineBelow returns how many of the operations below k, from 0, this load generator sends.
func (e *engine) mineBelow(k uint64) uint64 {
	if e.share == nil {
		return k
	}
	return e.share.Count(k)
}
