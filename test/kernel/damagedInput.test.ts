// A few damaged files, orders and requests; the full suite tries hundreds.
import '../full/inputs/fuzzFiles.test.js'
import '../full/inputs/fuzzSockets.test.js'
