// Package webpage lays results out as one HTML page, which needs nothing but itself: no request, no font. It has the
// records inside, so that whoever gets the page can go on with them (see package pagefile). Its scripts (package script)
// sort, narrow and copy what it shows; it says the same without them.
//
// The page does not compute anything. Who makes one hands in words and rounded figures, as for text.
package webpage
