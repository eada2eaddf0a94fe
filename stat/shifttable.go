package stat

import (
	"math"
	"slices"
)

// criticalRow has the critical values of split's largest z for n points without ties, one for each of criticalPs.
type criticalRow struct {
	n int
	z [len(criticalPs)]float64
}

var criticalPs = [...]float64{0.05, 0.01, 0.005, 0.001, 0.0001}

// never is the critical value where no order of n values is rare enough.
var never = math.Inf(1)

// criticalRows were simulated: a million shuffles of up to 100 points, 1e8/n but at least 60,000 of n. TestShiftCritical
// compares them with fresh shuffles.
var criticalRows = []criticalRow{
	{6, [len(criticalPs)]float64{never, never, never, never, never}},
	{7, [len(criticalPs)]float64{never, never, never, never, never}},
	{8, [len(criticalPs)]float64{2.309, never, never, never, never}},
	{9, [len(criticalPs)]float64{2.449, never, never, never, never}},
	{10, [len(criticalPs)]float64{2.402, 2.611, never, never, never}},
	{11, [len(criticalPs)]float64{2.449, 2.738, never, never, never}},
	{12, [len(criticalPs)]float64{2.401, 2.722, 2.882, never, never}},
	{13, [len(criticalPs)]float64{2.488, 2.781, 2.927, never, never}},
	{14, [len(criticalPs)]float64{2.491, 2.840, 2.969, 3.130, never}},
	{15, [len(criticalPs)]float64{2.546, 2.893, 3.008, 3.240, never}},
	{16, [len(criticalPs)]float64{2.520, 2.910, 3.016, 3.255, never}},
	{17, [len(criticalPs)]float64{2.537, 2.927, 3.056, 3.316, never}},
	{18, [len(criticalPs)]float64{2.576, 2.943, 3.046, 3.311, 3.576}},
	{20, [len(criticalPs)]float64{2.593, 3.000, 3.099, 3.381, 3.684}},
	{22, [len(criticalPs)]float64{2.637, 3.022, 3.170, 3.439, 3.772}},
	{25, [len(criticalPs)]float64{2.663, 3.065, 3.209, 3.510, 3.844}},
	{30, [len(criticalPs)]float64{2.699, 3.117, 3.282, 3.597, 3.939}},
	{40, [len(criticalPs)]float64{2.771, 3.207, 3.366, 3.708, 4.122}},
	{60, [len(criticalPs)]float64{2.851, 3.306, 3.479, 3.837, 4.264}},
	{80, [len(criticalPs)]float64{2.907, 3.369, 3.548, 3.920, 4.417}},
	{100, [len(criticalPs)]float64{2.944, 3.404, 3.582, 3.963, 4.445}},
	{150, [len(criticalPs)]float64{3.003, 3.473, 3.655, 4.037, 4.487}},
	{200, [len(criticalPs)]float64{3.042, 3.514, 3.700, 4.073, 4.558}},
	{300, [len(criticalPs)]float64{3.095, 3.577, 3.759, 4.146, 4.671}},
	{500, [len(criticalPs)]float64{3.139, 3.623, 3.807, 4.186, 4.784}},
	{1000, [len(criticalPs)]float64{3.204, 3.677, 3.861, 4.255, 4.772}},
	{2000, [len(criticalPs)]float64{3.262, 3.739, 3.918, 4.308, 4.876}},
	{5000, [len(criticalPs)]float64{3.327, 3.808, 3.996, 4.418, 5.041}},
}

// shiftCritical returns the critical value of the largest z of n points: that of the largest of criticalPs that is not
// above p, interpolated over log n. It is +Inf if p is smaller than all of them, or n too small. Above 5000 points it is that of 5000.
func shiftCritical(n int, p float64) float64 {
	column := slices.IndexFunc(criticalPs[:], func(x float64) bool { return x <= p })
	i := slices.IndexFunc(criticalRows, func(r criticalRow) bool { return r.n >= n })
	switch {
	case column < 0 || n < criticalRows[0].n:
		return never
	case i < 0:
		return criticalRows[len(criticalRows)-1].z[column]
	case criticalRows[i].n == n:
		return criticalRows[i].z[column]
	}
	a, b := criticalRows[i-1], criticalRows[i]
	share := math.Log(float64(n)/float64(a.n)) / math.Log(float64(b.n)/float64(a.n))
	return a.z[column] + share*(b.z[column]-a.z[column])
}
