// Package tare holds the architecture test of the module, and nothing else. The
// command is cmd/tare; the packages that programs may import are record, stat,
// summary and report.
package tare
