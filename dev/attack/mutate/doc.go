// Package mutate damages inputs: real files, changed as disks, networks, editors and attackers change them.
//
//	rng := rand.New(rand.NewPCG(seed, input))
//	damaged, what := mutate.Text(rng, file, others) // what says in words which changes were made
//
// The same seed gives the same bytes. An input is never larger than MaxSize.
package mutate
