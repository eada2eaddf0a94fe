// Package doctor is what tare doctor does: it examines the machine and what the
// profilers can serve, and shows what it found.
//
//	report, err := doctor.Examine(ctx, doctor.Config{Profilers: set})
//	err = report.WriteText(page)
package doctor
