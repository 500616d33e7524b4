// The long property tests of `npm test`, here with their full number of runs and size of input.
import '../../cluster/changes/random.test.js'
import '../../cluster/fuzz.test.js'
import '../../cluster/scale.test.js'
import '../../cluster/yaml/quickReaders.test.js'
import '../../lab/fuzz.test.js'
