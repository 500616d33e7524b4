// The property tests of `npm test` that need a kernel, here with their full number of runs.
import '../kernel/ingressProxyReload.test.js'
import '../kernel/nftProxierProperty.test.js'
import '../kernel/proxierProperty.test.js'
