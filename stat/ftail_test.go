package stat

import (
	"math"
	"testing"

	"github.com/aclements/go-moremath/mathx"
)

// TestFTail: published critical values of F and χ², Student's t as a special case, and both sides of each change of the
// method.
func TestFTail(t *testing.T) {
	for _, x := range []struct{ d1, d2, f, p float64 }{
		{1, 1, 161.4476, 0.05}, {2, 5, 5.7861, 0.05}, {4, 10, 3.4780, 0.05}, {10, 20, 3.3682, 0.01}, {3, inf, 7.8147 / 3, 0.05}, {9, inf, 21.666 / 9, 0.01},
	} {
		near(t, "tail", fTail(x.d1, x.d2, x.f), x.p, 1e-4)
	}
	for _, df := range []float64{1, 5, 38} {
		near(t, "t", fTail(1, df, 2.3*2.3), tTail(df, 2.3), 1e-10)
	}
	for _, f := range []float64{0.9, 1, 1.2} {
		near(t, "many d1", fTailNormal(manyDF, 300, f), mathx.BetaInc(300/(300+manyDF*f), 150, manyDF/2), 1e-3)
		near(t, "many d2", fTail(5, 1e4, f), fTail(5, 1.0001e4, f), 1e-3)
	}
	for _, f := range []float64{0, -1} {
		near(t, "none", fTail(3, 4, f), 1, 0)
	}
	if !math.IsNaN(fTail(nan, 1, 1)) || fTail(1, 1, inf) != 0 || !(fTail(1e9, 1e9, 1.1) < 1e-9) || !(fTail(1e6, 3, 2) > 0.1) {
		t.Error("edges")
	}
}

func TestChiSquareQuantile(t *testing.T) {
	for _, x := range []struct{ df, p, want float64 }{{1, 0.95, 3.8415}, {2, 0.5, 1.3863}, {9, 0.05, 3.3251}, {30, 0.99, 50.892}, {1, 0.01, 0.00015709}} {
		near(t, "quantile", chiSquareQuantile(x.df, x.p), x.want, 1e-4)
	}
	for _, p := range []float64{0.01, 0.5, 0.99} {
		near(t, "where the method changes", chiSquareQuantile(manyDF, p)/chiSquareQuantile(manyDF+1e-6, p), 1, 1e-4)
	}
}
