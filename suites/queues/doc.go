// Package queues compares package queue with what others have published, and
// holds all of them to the checks of package queuetest.
package queues
