// The tests of `npm test` that repeat a mechanism in the kernel, here with every lab, every rule or their full number of runs.
import '../kernel/ingressProxyReload.test.js'
import '../kernel/nftProxierProperty.test.js'
import '../kernel/planIsRun.test.js'
import '../kernel/proxierProperty.test.js'
import '../kernel/takeRuleAway.test.js'
