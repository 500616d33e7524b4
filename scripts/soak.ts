// `npm run soak -- tests [rounds] [--suite short|full] [--load N]` runs the tests beside busy loops (soakTests.ts).
// `npm run soak -- verify [lab…]` compares each request of labs with its prediction (soakVerify.ts).
// `npm run soak -- paths [count]` compares random packets with their predictions (soakPaths.ts).
// `npm run soak -- rules [count] [--seed N]` compares requests through random rules with their predictions (soakRules.ts).
// `npm run soak -- reach [clusters] [--seed N]` proves differences between modes with packets (soakReach.ts).
// `npm run soak -- saves <folder>` reads output of iptables-save and predicts packets through it (soakSaves.ts).
// `npm run soak -- versions FILE [lab…]` compares the rules of a kube-proxy with the rendered ones (soakVersions.ts).
// `npm run soak -- upstream DIR` lets upstream's own tests decide about the rendered rules (soakUpstream.ts).
// `npm run soak -- corpora <folder>…` plans each manifest of public repositories (soakCorpora.ts).
// `npm run soak -- bundle` installs the archive of `npm run bundle` on a fresh system without a network (soakBundle.ts).
// `npm run soak -- class [participants] [exercises]` plays a class in the browser (soakClass.ts).
// `npm run soak [-- count] [--all] [lab…]`: runs labs repeatedly (default: nodeport, 200 times), and stops at the first run
// that fails, with its output. With --all each run has all labs, two at a time, and a time limit of a minute. Exits with 1
// when a run failed or left something behind.
import { $ } from 'zx'
import { withWorkspace, root } from './bench/workspace.js'
import { describeLeft, lookAround, runMark } from './bench/leftBehind.js'
import { soakBundle } from './soakBundle.js'
import { soakClass } from './soakClass.js'
import { soakCorpora } from './soakCorpora.js'
import { soakPaths } from './soakPaths.js'
import { soakReach } from './soakReach.js'
import { soakRules } from './soakRules.js'
import { soakSaves } from './soakSaves.js'
import { soakTests } from './soakTests.js'
import { soakUpstream } from './soakUpstream.js'
import { soakVersions } from './soakVersions.js'
import { soakVerify } from './soakVerify.js'

const [first = '', ...others] = process.argv.slice(2)
const counted = /^[1-9]\d*$/.test(first)
const count = counted ? Number(first) : 200
const named = counted ? others : [first, ...others].filter((name) => name !== '')
const options = named.filter((name) => name.startsWith('-') && name !== '--all')

if (first === 'tests') {
  process.exitCode = await soakTests(others)
} else if (first === 'verify') {
  process.exitCode = await soakVerify(others)
} else if (first === 'paths') {
  process.exitCode = await soakPaths(others)
} else if (first === 'reach') {
  process.exitCode = await soakReach(others)
} else if (first === 'rules') {
  process.exitCode = await soakRules(others)
} else if (first === 'bundle') {
  process.exitCode = await soakBundle(others)
} else if (first === 'class') {
  process.exitCode = await soakClass(others)
} else if (first === 'corpora') {
  process.exitCode = soakCorpora(others)
} else if (first === 'upstream') {
  process.exitCode = await soakUpstream(others)
} else if (first === 'versions') {
  process.exitCode = await soakVersions(others)
} else if (first === 'saves') {
  process.exitCode = soakSaves(others)
} else if (options.length > 0) {
  process.stderr.write(
    `soak: unknown option ${options.join(' ')}\nUsage: npm run soak -- [count] [--all] [lab…]\n`,
  )
  process.exitCode = 2
} else {
  process.exitCode = (await soak(named.length === 0 ? ['nodeport'] : named)) ? 0 : 1
}

/** Runs every lab `count` times; false when one failed or left something behind. */
async function soak(labs: readonly string[]): Promise<boolean> {
  const before = await lookAround()
  const passed = await withWorkspace(async ({ cli }) => {
    for (const lab of labs) if (!(await soakOne(cli, lab))) return false
    return true
  })
  const left = describeLeft(before, await lookAround())
  process.stdout.write(left.length === 0 ? 'nothing left behind\n' : `left behind:\n  ${left.join('\n  ')}\n`)
  return passed && left.length === 0
}

async function soakOne(cli: string, lab: string): Promise<boolean> {
  const env = { ...process.env, ...runMark }
  // a run that exceeds the time limit has failed
  const run = $({ quiet: true, nothrow: true, env, cwd: root, timeout: lab === '--all' ? '60s' : '120s' })
  const args = lab === '--all' ? ['--all', '--jobs', '2'] : [lab]
  const times: number[] = []
  for (let index = 1; index <= count; index++) {
    const start = performance.now()
    const { exitCode, signal, stdall } = await run`${process.execPath} ${cli} run ${args}`
    if (exitCode !== 0) {
      process.stdout.write(
        `${stdall}\n${lab}: run ${index} of ${count} ${signal === null ? `exited with ${exitCode}` : `was ended by ${signal}`}\n`,
      )
      process.stdout.write(`${summary(lab, times)}\n`)
      return false
    }
    times.push(performance.now() - start)
    if (process.stderr.isTTY) process.stderr.write(`\r${lab}: ${index} of ${count}`)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  process.stdout.write(`${summary(lab, times)}\n`)
  return true
}

function summary(lab: string, times: readonly number[]): string {
  if (times.length === 0) return `${lab}: none passed`
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const [lowest, highest] = [Math.min(...times), Math.max(...times)]
  const figures = `mean ${mean.toFixed(0)} ms, min ${lowest.toFixed(0)} ms, max ${highest.toFixed(0)} ms`
  return `${lab}: ${times.length} of ${count} passed; ${figures}`
}
