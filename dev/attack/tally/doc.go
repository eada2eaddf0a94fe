// Package tally counts what attacks found, and prints it as a table.
package tally
