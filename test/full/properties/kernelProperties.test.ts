// The tests of `npm test` that repeat a mechanism in the kernel, here with every lab, every rule, every
// backend or their full number of runs.
import '../../kernel/changeSteps.test.js'
import '../../kernel/ingressProxyReload.test.js'
import '../../kernel/kubeProxyBinary.test.js'
import '../../kernel/nftProxierProperty.test.js'
import '../../kernel/planIsRun.test.js'
import '../../kernel/proxierProperty.test.js'
import '../../kernel/randomPackets.test.js'
import '../../kernel/rules.test.js'
import '../../kernel/takeRuleAway.test.js'
