// Package measuring attacks runs that measure: with kill -9 at random instants, of tare itself, its launcher, or whatever
// process of the run is there at that moment; with disks that are full or cannot be written; and with a processor hog beside them.
//
// What was written must be reported afterwards, a run of tare bench must be completed by --resume, and the next run must leave
// neither processes nor files behind. On a busy machine the same code must not become another with a verdict that is trusted.
package measuring
