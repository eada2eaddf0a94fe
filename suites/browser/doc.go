// Package browser tests pages in Chromium: what they show, that nothing but the page is asked for, and what its scripts do.
// It is a module of its own, so that nobody who uses tare downloads what drives a browser.
package browser
