// The tests of `npm test` that try a mechanism with one lab, here with every lab that has something of its own.
import '../../kernel/hostSettings.test.js'
import '../../kernel/predictedPaths.test.js'
import '../../kernel/tracedRequests.test.js'
import '../../kernel/whyFixes.test.js'
