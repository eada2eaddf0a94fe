// Package trend makes series of what a history holds: the values of each benchmark, commit by commit, and where their level
// may have changed.
//
//	line, err := trend.FirstParents(ctx, dir, "HEAD")
//	c := trend.NewCollector(line)
//	store.Read(ctx, files, keep, c.Add)
//	t := c.Trends(trend.Selection{})
//
// Only entries of one machine, toolchain and configuration make a series. Where another machine measured, there is a break and
// no regression.
package trend
