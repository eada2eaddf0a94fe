// Package forge keeps one comment on a pull request of GitHub, or of a forge with the same interface, up to date.
//
//	c := forge.Client{API: "https://api.github.com", Token: token, Repo: "owner/name"}
//	url, err := c.Put(ctx, 17, "tare", markdown)
//
// The token is sent to the host of the API alone.
package forge
