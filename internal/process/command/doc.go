// Package command turns command lines into programs that can be started and measured.
//
//	words, err := shellwords.Split(`./sort 'two words'`)
//	s := command.Starter{Env: os.Environ()}
//	p, err := s.Program(words) // finds the executable
//	res, err := launcher.Run(ctx, p.Spec)
//
// Errors say what to do about them: package exit.
package command
