// Package browser tests pages in Chromium: what they show, that nothing but the page is asked for, and what its scripts do.
// It is a module of its own, so that users of tare do not download what drives a browser.
package browser
