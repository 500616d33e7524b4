/**
 * The processes of scripts/test/testFiles.mjs that take longest, longest first: started last, they would keep one core busy
 * while the others are idle.
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
  ...['full/exercises', 'full/kernelLabs', 'full/killsOfUp', 'full/races'],
  ...[
    'kernel/labs',
    'kernel/traces',
    'kernel/pods',
    'kernel/sandboxes',
    'cluster',
    'scripts',
    'kernel/kubeProxyBinary',
    'commands',
    'apiserver',
    'lab',
  ],
  ...['kernel/kubectlWrites', 'kernel/run', 'kernel/changeSteps', 'proxy', 'docs', 'reporters'],
  ...['kernel/commands', 'kernel/proxiers', 'kernel/gateways'],
  ...['kernel/changeCommands', 'kernel/hostSettings', 'kernel/mutate', 'kernel/packetFlows', 'kernel/dns'],
  ...['kernel/upControl', 'kernel/planIsRun', 'kernel/leftBehind', 'kernel/rules', 'packets', 'netfilter'],
  ...['kernel/ingressRefused', 'kernel/kubeProxyBinaryApi', 'kernel/userspaceLab', 'kernel/ingressProxies'],
  ...['kernel/signals', 'kernel/nftLab', 'kernel/proxierProperty'],
]

/**
 * Processes that mostly wait, for answers that do not come or for time in the kernel: twice as many of them fit on a core.
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
  ...['kernel/podNetwork', 'kernel/ingressRefused', 'kernel/workshop'],
  ...['full/ci', 'full/containerSecurity', 'full/hungTools'],
]

/**
 * The processes in the order in which they start: groups that run one after the other, each with its processes per core.
 * @template {{ name: string }} Process
 * @param {readonly Process[]} processes
 * @returns {{ perCore: number, processes: Process[] }[]}
 */
export function inOrder(processes) {
  const place = ({ name }) => (long.includes(name) ? long.indexOf(name) : long.length)
  const sorted = [...processes].sort((a, b) => place(a) - place(b))
  return [
    { perCore: 2, processes: sorted.filter(({ name }) => waiting.includes(name)) },
    {
      // those of test/full run several labs at once; next to another one that waits there is work for the core
      perCore: sorted.some(({ name }) => name.startsWith('full/')) ? 1 : 2,
      processes: sorted.filter(({ name }) => !waiting.includes(name)),
    },
  ]
}

/** The names above. @public for the test that compares them with the existing tests */
export const named = [...long, ...waiting]
