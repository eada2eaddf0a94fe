// Package gather collects from a result what package why divides among causes.
//
//	e, looked := gather.Of(res, comparison)
package gather
