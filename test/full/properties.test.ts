// The long property tests of `npm test`, here with their full number of runs.
import '../cluster/changes/random.test.js'
import '../cluster/fuzz.test.js'
import '../lab/fuzz.test.js'
