// Package target runs what is attacked, the command tare, and judges how it behaved.
//
// There are two ways. [Command] is a process as a user starts it, with its exit code, output, time and
// peak memory. [Worker] is a process that runs many command lines one after the other, for attacks of
// thousands of inputs; it is replaced when it dies.
package target
