package build

import "testing"

// TestLoops: the forms of loops that the code of a benchmark may reach.
func TestLoops(t *testing.T) {
	s := scanText(t, `
-- a_test.go --
package p
import "testing"
type size struct{ N int }
func (s size) Loop() bool { return false }
func BenchmarkN(b *testing.B) { for i := 0; i < b.N; i++ {} }
func BenchmarkRange(b *testing.B) { b.ResetTimer(); for range b.N {} }
func BenchmarkLoop(b *testing.B) { for b.Loop() {} }
func BenchmarkSub(b *testing.B) { b.Run("x", func(b *testing.B) { helper(b) }) }
func BenchmarkBoth(b *testing.B) { helper(b); for range b.N {} }
func BenchmarkOther(b *testing.B) { var s size; for s.Loop() { s.N++ }; elsewhere.Run(b) }
func BenchmarkPar(b *testing.B) { b.RunParallel(func(pb *testing.PB) { for pb.Next() {} }) }
func helper(x *testing.B) { for x.Loop() {} }
`)
	for name, want := range map[string][4]bool{
		"N": {true, false, false, false}, "Range": {true, false, false, true}, "Loop": {false, true, false, false}, "Sub": {false, true, false, false},
		"Both": {true, true, false, false}, "Other": {}, "Par": {false, false, true, false},
	} {
		n, loop, parallel := s.Loops("Benchmark" + name)
		if got := [4]bool{n, loop, parallel, s.Resets("Benchmark" + name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
