import { readdirSync } from 'node:fs'

const ending = '.test.ts'

/**
 * The test files in a folder, at any depth, without their ending.
 * @param {string} folder
 * @returns {string[]}
 */
export function allTests(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()
}

/**
 * The tests of a suite ('short' or 'full'): for each filter the test with that name, or else the tests whose path contains it.
 */
export function testFiles(folder, suite, filters) {
  const tests = allTests(folder).filter((test) => test.startsWith('full/') === (suite === 'full'))
  if (filters.length === 0) return tests
  const isWanted = filters.map((filter) =>
    tests.includes(filter) ? (test) => test === filter : (test) => test.includes(filter),
  )
  return tests.filter((test) => isWanted.some((isIt) => isIt(test)))
}

/**
 * Tests of kernel/ that share a process, by its name: they take little more time than the start of a process.
 * @type {Record<string, string[]>}
 */
const together = {
  'kernel/sandboxes': [
    ...['callerFiles', 'confined', 'hostFaults', 'hostTool', 'hostileText', 'insideFiles', 'missingTools'],
    ...['oldCurl', 'ownName', 'sandboxInit', 'sandboxOrphans', 'security', 'sysctls', 'userNamespace'],
    'withSandbox',
  ],
  'kernel/gateways': [
    ...['gatewayAttachment', 'gatewayFilters', 'gatewayMatching', 'gatewayTls', 'ingressCommand'],
    ...['ingressProxyConnections', 'ingressProxyReload', 'ingressRules'],
  ],
  'kernel/proxiers': [
    ...[
      'golden',
      'goldenNft',
      'ipvsRules',
      'nftProxier',
      'nftProxierProperty',
      'proxier',
      'proxierConntrack',
      'proxierForeign',
    ],
    ...['proxierLab', 'ruleForms', 'savedForm', 'splitRestore', 'takeRuleAway'],
  ],
  'kernel/pods': [
    ...['failingContainers', 'grpcProbe', 'kubectlPods', 'podFiles', 'podVolumes', 'presentObjects'],
    ...['probeEvents', 'kubeProxySyncs', 'kubeProxyVersion'],
  ],
  'kernel/commands': [
    ...[
      'captureCommand',
      'captureRoom',
      'compare',
      'dataPaths',
      'htmlReport',
      'interruptedRun',
      'lostPackets',
    ],
    ...['pcapng', 'portClash', 'servedCommands', 'up'],
  ],
  'kernel/traces': ['predictedPaths', 'randomPackets', 'tracedRequests', 'tracedSteps', 'whyFixes'],
}

/** The tests of `together`. @public for the test that compares them with the existing tests */
export const sharing = Object.values(together).flatMap((names) => names.map((name) => `kernel/${name}`))

/**
 * The processes that run tests, each with its built file in build/test. A test of full/ has its own, as have those of kernel/
 * that are not in `together`; the tests of another folder of test/ share one, named after the folder.
 * @param {readonly string[]} tests
 * @returns {{ name: string, tests: string[], isShared: boolean }[]}
 */
export function testProcesses(tests) {
  const processes = new Map()
  for (const test of tests) {
    const name = processOf(test)
    const isShared = name !== test
    const process = processes.get(name) ?? { name, tests: [], isShared }
    process.tests.push(test)
    processes.set(name, process)
  }
  return [...processes.values()]
}

function processOf(test) {
  const [folder = '', ...rest] = test.split('/')
  const [group] = Object.entries(together).find(([, names]) => names.includes(rest.join('/'))) ?? []
  if (folder === 'kernel') return group ?? test
  return folder === 'full' ? test : folder
}
