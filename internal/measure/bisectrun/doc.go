// Package bisectrun searches for the commit that changed a benchmark, by measuring: tare bisect. It lists and builds
// commits, lets package bisect choose which to measure, and writes a record of all forks.
//
// [Confirm] measures two commits again, until it is known whether they differ.
package bisectrun
