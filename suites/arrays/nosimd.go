//go:build !goexperiment.simd || !amd64

package arrays

// WithSIMD reports whether this build has the operations that are written with package simd/archsimd, and the
// processor their instructions. That package exists under GOEXPERIMENT=simd only.
func WithSIMD() bool { return false }

func simdSubjects() []Subject { return nil }
