// Package commandrun measures whole commands: one, or two in turn, and writes records.
//
//	j := job.DefaultCommand()
//	j.Words = []string{"sort", "-u"}
//	m, err := commandrun.New(&j)
//	err = m.Run(commandrun.Session{Signals: signals, Progress: progress})
//	result := m.Recorder.Result()
//
// A command `go run PACKAGE` is a program that Run builds first, without the go command in what is measured, and with a part that
// reports what its runtime has counted: package totals.
//
// A run of a command is a process (fork) of the record, and a command is a side of one case,
// so that commands can be compared whatever they are called.
package commandrun
