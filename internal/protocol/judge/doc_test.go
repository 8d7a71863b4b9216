// Package judge holds every protocol to what a reasonable reader says that a reply means. It has tests only: replies
// with their readings (testdata), quotations and their genuine twins made by rule, properties, and played minds that
// write in bad form. Nothing here knows how a reply is decoded.
package judge
