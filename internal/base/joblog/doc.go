// Package joblog keeps what strangers wrote from commanding the service that runs a job of continuous integration. Such a
// service reads commands from the output of a job: GitHub ::add-mask::x and ##[set-output]x, Azure Pipelines
// ##vso[task.setvariable]x, TeamCity ##teamcity[buildStatus], GitLab and Travis the marks of sections. tare prints the names
// and the output of benchmarks that strangers have written, answers of servers, and records of others.
//
//	log, stdout, stderr := joblog.Open(os.Getenv, os.Stdout, os.Stderr)
//	log.Stop()
//	defer log.Resume()
//
// There are two defences.
//
// The first is [Writer]: whatever is written to standard output or standard error, no line of it is a command. It holds for
// each stream by itself, so that it does not matter in which order the service reads two streams.
//
// The second is [Log.Stop]: GitHub ignores commands until it reads a random token, which only tare knows. This is for
// output that does not pass through tare, such as that of a process that writes to the descriptors of its parent. The
// lines with the token go to standard error alone, for two reasons. Standard output may be a file or a pipe for data, such
// as --format json, and an additional line would damage it. The service reads the two streams independently, so that the
// order of lines is certain only within one stream. Commands of tare itself go to standard error, too, behind the line
// that resumes them ([Log.Commands]).
package joblog
