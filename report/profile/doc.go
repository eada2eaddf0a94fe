// Package profile shows call stacks: what a sampler has seen of a program, and what
// counting has told of its functions.
//
// The common form is the profile of pprof, with whatever sample types it has: counts,
// nanoseconds, calls. That of a record is read, and shown, so:
//
//	p, err := profile.Read(attached.Data)
//	v, err := profile.New(p, profile.Config{How: how}) // how: the record's Sampled, or nil
//	err = v.Text(os.Stdout, profile.Options{Width: 100, UTF8: true})
//
// Other looks of the same view:
//
//	err = v.JSON(w)      // {"functions":[{"name":…,"self":…,"total":…}], …}
//	err = v.Collapsed(w) // main.main;main.f 12
//	err = v.Pprof(w)     // for go tool pprof, and what else reads profile.proto
//	err = v.Flame(w)     // one SVG image
//
// # Figures
//
// The self of a function is what was found in itself, its total what was found in itself
// or in what it had called; recursion counts once. A share that comes from looking now
// and then is off by chance: its ± is the standard error of a binomial share,
// √(p(1-p)/n). n is the number of samples of CPU time, but of looks where each sees
// all goroutines: those that wait for the same are seen together and are no evidence of
// each other, and looks that got more time than others count for less ([record.Sampled.Draws]).
// Of the share of one run in another, which differs for more reasons, it says nothing.
//
// The path, "parent > function", counts time only between two looks that found the
// function, called by that parent, both times: what is shorter than an interval is
// nowhere, what is a little longer is short of the most of it.
package profile
