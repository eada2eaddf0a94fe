// Package units writes figures for people: values scaled to a unit that suits them and
// rounded to what their interval supports, shares, times, counts and their nouns.
//
//	units.Value("ns/op", 6823, 3)            // "6.82 µs/op": three digits
//	units.Time(4_170_000)                    // "4.17 ms"
//	units.Percent(0.031)                     // "3.1 %"
//	units.Plural(3, "fork")                  // "3 forks"
//	units.Count(45_639)                      // "45 639"
//
//	s := units.ScaleOf("ns/op", 6823)        // µs/op
//	r := units.Round(v/s.Div, lo/s.Div, hi/s.Div, true)
//	r.Text(v/s.Div), r.Text(lo/s.Div), r.Text(hi/s.Div)   // end at the same digit
//
// A value gets the digits that its interval supports: two significant digits of the
// half-width, two to five digits of the value. Without an interval it gets three.
//
// Texts have characters beyond ASCII, such as µ and –. Package termtext replaces them
// where they cannot be shown.
package units
