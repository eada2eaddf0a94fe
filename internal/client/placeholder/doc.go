// Package placeholder has texts with numbers that differ between operations, such as the
// URL or the body of a request.
//
// # Recipe
//
//	t, err := placeholder.Parse(`{"id":{k},"shelf":{rand:10}}`)
//	body := t.Append(nil, seed, 7) // of operation 7: {"id":7,"shelf":4}
//
// {k} is the number of the operation, {k:N} the same modulo N, and {rand:N} a number
// below N that follows from the seed and the operation.
package placeholder
