//go:build goexperiment.simd && amd64

package arrays

import (
	"simd/archsimd"
	"slices"
)

// WithSIMD reports whether this build has the operations that are written with package simd/archsimd, and the
// processor their instructions. That package exists under GOEXPERIMENT=simd only.
func WithSIMD() bool { return archsimd.X86.AVX2() }

// simdSubjects returns the operations on vectors of 32 bytes.
func simdSubjects() []Subject {
	if !WithSIMD() {
		return nil
	}
	return slices.Concat(simdSubjectsByte(), simdSubjectsUint16(), simdSubjectsInt32(), simdSubjectsInt64(), simdSubjectsFloat32(), simdSubjectsFloat64())
}
