// Package doctor is what tare doctor does: it looks at the machine and at what the
// profilers can serve, and shows what it found.
//
//	report, err := doctor.Look(ctx, doctor.Config{Profilers: set})
//	err = report.WriteText(page)
package doctor
