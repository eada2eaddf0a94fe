// Package loadrun does the work of tare load: one run, the search of the highest rate
// that meets objectives, and the sweep over several rates.
//
//	plan, err := options.Plan(flags.Changed, bindings)   // checks everything that was typed
//	r := loadrun.New(plan, loadrun.Session{Recorder: recorder, Signals: signals, Status: status})
//	err = r.Run()
//	err = r.Close(err == nil)
//	show(r.Result())
//	return loadrun.Verdict(r.Result(), plan.Strict)
//
// A run has up to three phases: records are inserted, then a warm-up, then the run itself.
// Each is one call of [load.Run]. A search and a sweep repeat the last two at several rates.
package loadrun
