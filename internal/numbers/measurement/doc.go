// Package measurement reads the properties of YCSB that say how latencies are measured and exported: measurementtype,
// measurement.interval and those of each type. Names, defaults and meanings are those of YCSB's package
// site.ycsb.measurements; a value that YCSB would replace by its default is an error here. What is written by them is
// in internal/show/export (the summary) and internal/measure/loadrun (the files).
package measurement
