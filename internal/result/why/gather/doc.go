// Package gather collects from a result what package why divides among causes.
//
//	e, profiled := gather.Of(res, comparison)
package gather
