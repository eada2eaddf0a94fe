// Package markdowntest tells, for tests, what GitHub makes of Markdown: it translates a text with another implementation, and
// searches for all to which GitHub gives a meaning in the finished page.
//
//	page := markdowntest.Render(text)
//	for _, p := range page.Problems { … }
//	strings.Count(page.Text, "what must be seen once")
//
// Hostile makes texts that try to have such a meaning.
package markdowntest
