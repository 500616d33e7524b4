/**
 * The tests that take longest, longest first: started last, they would keep one core busy while the others are idle.
 * @type {string[]}
 */
const long = [
  ...[
    'full/mutateLabs',
    'full/labModes',
    'full/ci',
    'full/interrupts',
    'full/kills',
    'full/lessons',
    'full/freshClone',
  ],
  ...['full/exercises', 'full/killsOfUp', 'full/races'],
  ...[
    'kernel/labs',
    'kernel/hostSettings',
    'kernel/kubeProxyBinary',
    'kernel/changeCommands',
    'kernel/mutate',
  ],
  ...[
    'kernel/changeSteps',
    'kernel/packetFlows',
    'kernel/kubeProxyBinaryApi',
    'kernel/leftBehind',
    'cluster/scale',
  ],
  ...['kernel/nftLab', 'kernel/ingressProxies', 'kernel/dns', 'kernel/rules', 'kernel/proxierProperty'],
]

/**
 * Tests that mostly wait, for answers that do not come or for time in the kernel: twice as many of them fit on a core.
 * @type {string[]}
 */
const waiting = [
  ...[
    'kernel/changeCommands',
    'kernel/mutate',
    'kernel/packetFlows',
    'kernel/kubeProxyBinaryApi',
    'kernel/live',
  ],
  ...[
    'kernel/podNetwork',
    'kernel/ingressRefused',
    'kernel/nftProxierProperty',
    'kernel/workshop',
    'full/ci',
    'full/containerSecurity',
  ],
]

/** The tests in the order in which they start: groups that run one after the other, each with its tests per core. */
export function inOrder(tests) {
  const place = (test) => (long.includes(test) ? long.indexOf(test) : long.length)
  const sorted = [...tests].sort((a, b) => place(a) - place(b))
  return [
    { perCore: 2, tests: sorted.filter((test) => waiting.includes(test)) },
    { perCore: 1, tests: sorted.filter((test) => !waiting.includes(test)) },
  ]
}

/** The names above. @public for the test that compares them with the existing tests */
export const named = [...long, ...waiting]
