// Package flags holds what the flags of all verbs share: one definition of each flag that
// several verbs have, the values that they take, old names, completion, the help texts, and
// what to type instead of a flag that does not exist.
//
// A name means the same on every verb. [Groups] lists all names.
package flags
