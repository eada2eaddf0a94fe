// Package loadrun does the work of tare load: one run, the search of the highest rate
// that meets objectives, and the sweep over several rates.
//
//	plan, err := loadrun.NewPlan(j, loadrun.Program{Bindings: bindings}) // a job.Load, checked
//	r, err := measure.RunLoad(ctx, plan, loadrun.Session{Output: "run.jsonl"})
//	err = r.Close(err == nil)
//	show(r.Result())
//	return loadrun.Verdict(r.Result(), plan.Strict)
//
// A run has up to three phases: records are inserted, then a warm-up, then the run itself.
// Each is one call of [load.Run]. A search and a sweep repeat the last two at several rates.
//
// A target is a database (load/kv/NAME) with a workload (load/ycsb), or one that is a target already (load/http,
// load/scenario, full/load/grpc). That of a Go package of the user is in a process of its own, and so is the engine
// (gotarget): its lines go into the record as if they had come from here. Each latency, which no record has, comes from
// load.Config.Observe and goes to a file of its own.
package loadrun
