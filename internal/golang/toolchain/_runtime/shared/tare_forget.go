// Package runtime gets this file for one build, by package toolchain, together with any of tare's other parts: the probes, the
// sampler and the totals.
package runtime

// tareForget removes a variable from the environment and returns its value. Variables tell the parts what to do; the program
// must not see them.
func tareForget(name string) (value string) {
	kept := envs[:0]
	for _, e := range envs {
		if len(e) > len(name) && e[:len(name)] == name && e[len(name)] == '=' {
			value = e[len(name)+1:]
			continue
		}
		kept = append(kept, e)
	}
	envs = kept
	return value
}
