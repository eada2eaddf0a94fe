package caches

var noneKind = Kind{
	Name: "none", Flight: NoLoad, Floor: true, Low: 10, High: 10,
	Note: "an array of all values, read without a lock: what keys, calls and checks cost",
	New: func(_, keys int, _ *Source) (Cache, error) {
		a := make(array, keys)
		for k := range a {
			a[k] = Value(k)
		}
		return a, nil
	},
}

type array []int

func (a array) Session() Session   { return a }
func (a array) Get(key int) int    { return a[key] }
func (a array) Put(key, value int) { a[key] = value }
func (a array) Settle()            {}
func (a array) Len() int           { return len(a) }
func (a array) Close()             {}
