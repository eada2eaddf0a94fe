// Package profile shows call stacks: samples of a program, and calls of its functions that were counted.
//
// The common form is the profile of pprof, with whatever sample types it has: counts,
// nanoseconds, calls. That of a record is read, and shown, so:
//
//	p, err := profile.Read(attached.Data)
//	v, err := profile.New(p, profile.Config{How: how}) // how: the record's Sampled, or nil
//	err = v.Text(os.Stdout, profile.Options{Width: 100, UTF8: true})
//
// Other forms of the same view:
//
//	err = v.JSON(w)      // {"functions":[{"name":…,"self":…,"total":…}], …}
//	err = v.Collapsed(w) // main.main;main.f 12
//	err = v.Pprof(w)     // for go tool pprof, and what else reads profile.proto
//	err = v.Flame(w)     // one SVG image
//
// Two views of one kind are compared by [NewDifference], which has the same forms.
//
// # Figures
//
// The self of a function is what was found in itself, its total what was found in itself
// or in what it had called; recursion counts once. By the clock both are sums over
// goroutines, and shares are of the time of all of them. What comes from looking now and then is
// off by chance, and has a standard error, ±. Of samples of CPU time it is that of a binomial
// share, √(p(1-p)/n), with n samples. A sample by the clock sees all goroutines: those that wait for the
// same are seen together and are no evidence of each other. So the error comes from how
// different the samples were, which the record has for each function ([record.Sampled.Errors]). Where it
// does not, it is right for what no sample has found in more than one goroutine:
// √(m(1-m)/n) of the time by the clock, m being the part of the samples that found it, and n their number, where
// samples that got more time than others count for less ([record.Sampled.Draws]).
// Of the share of one run in another, which differs for more reasons, it says nothing.
//
// The difference of two shares has Newcombe's interval ([stat.CompareShares]), for which a share counts with as many
// draws as give its standard error. A difference exceeds the noise if its p, corrected for the number of functions by Benjamini and
// Hochberg, is small enough. Places in a flame graph of two profiles are judged in the same way, as a family of their own.
//
// The path, "parent > function", counts time only between two samples that found the
// function, called by that parent, both times: what is shorter than an interval is
// nowhere, what is a little longer is short of the most of it.
package profile
