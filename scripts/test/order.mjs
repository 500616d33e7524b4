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
 * Processes that mostly wait, for answers that do not come or for time in the kernel.
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
 * The processes in the order in which they start, with the places that each takes of those that a core has. Those that wait start
 * first: the others use the time in which they wait.
 * @template {{ name: string }} Process
 * @param {readonly Process[]} processes
 * @returns {{ perCore: number, processes: (Process & { places: number })[] }}
 */
export function inOrder(processes) {
  const isFull = processes.some(({ name }) => name.startsWith('full/'))
  const isWaiting = ({ name }) => waiting.includes(name)
  const place = ({ name }) => (long.includes(name) ? long.indexOf(name) : long.length)
  const sorted = [...processes].sort(
    (a, b) => Number(isWaiting(b)) - Number(isWaiting(a)) || place(a) - place(b),
  )
  return {
    perCore: isFull ? 3 : 2,
    // those of test/full run several labs at once
    processes: sorted.map((one) => ({ ...one, places: isFull && !isWaiting(one) ? 2 : 1 })),
  }
}

/** The names above. @public for the test that compares them with the existing tests */
export const named = [...long, ...waiting]
