// Package readers attacks every reader of tare with damaged files.
//
// A reader is a kind of file and the verbs that read it. Each input is a real file, damaged by package
// mutate, and is given to all of the reader's verbs. Most command lines run in a worker; some run as processes of
// their own, and so does whatever a worker found, so that nothing is reported that a user would not see.
package readers
