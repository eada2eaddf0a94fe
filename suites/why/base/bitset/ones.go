//go:build !portable

package bitset

import "math/bits"

func ones(w uint64) int { return bits.OnesCount64(w) }
