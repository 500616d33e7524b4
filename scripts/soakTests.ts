// `npm run soak -- tests [rounds] [--suite short|full] [--load N] [filter…]`, called by soak.ts: runs `npm test` and
// `npm run test:full`, or one of them, repeatedly (10 rounds by default) beside N busy loops (4 by default). Prints the
// counts of each run, what failed in it, and how many runs passed. The TAP of each run is kept in build/soak/.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { root } from './bench/workspace.js'

const usage = 'npm run soak -- tests [rounds] [--suite short|full] [--load N] [filter…]'
const commands = { short: 'npm test', full: 'npm run test:full' } as const

type Suite = keyof typeof commands

interface Soak {
  readonly rounds: number
  readonly suites: readonly Suite[]
  readonly load: number
  readonly filters: readonly string[]
}

/** A run of a suite: its exit code, and what countTap.mjs prints of its TAP. */
interface Run {
  readonly code: number
  readonly report: string
}

/** What acts: runs a suite once and keeps its TAP in a file, starts busy loops, prints. */
export interface SoakActions {
  readonly run: (suite: Suite, filters: readonly string[], file: string) => Promise<Run>
  /** Returns what ends them. */
  readonly startLoops: (count: number) => () => void
  readonly print: (text: string) => void
}

/** Runs the suites; returns the exit code: 0 when every run passed, 2 for invalid arguments. */
export async function soakTests(
  args: readonly string[],
  actions: SoakActions = realActions,
): Promise<number> {
  const { run, startLoops, print } = actions
  const soak = readArguments(args)
  if (soak === undefined) {
    print(`Usage: ${usage}\n`)
    return 2
  }
  const { rounds, suites, load, filters } = soak
  const endLoops = startLoops(load)
  const passed = new Map<Suite, number>()
  try {
    for (let round = 1; round <= rounds; round++)
      for (const suite of suites) {
        const file = join('build/soak', `${round}-${suite}.tap`)
        const begin = performance.now()
        const { code, report } = await run(suite, filters, file)
        const [busy = 0] = loadavg()
        const seconds = ((performance.now() - begin) / 1000).toFixed(0)
        const counts = report.trimEnd().split('\n').at(-1) ?? ''
        print(
          `${commands[suite]}: run ${round} of ${rounds} ${code === 0 ? 'passed' : 'failed'}: ${counts} (${seconds} s, load ${busy.toFixed(1)})\n`,
        )
        if (code === 0) passed.set(suite, (passed.get(suite) ?? 0) + 1)
        else print(`${failuresIn(report)}  all of it: ${file}\n`)
      }
  } finally {
    endLoops()
  }
  for (const suite of suites)
    print(
      `figure: ${commands[suite]} beside ${load} busy loops: ${passed.get(suite) ?? 0} of ${rounds} runs passed\n`,
    )
  return suites.every((suite) => passed.get(suite) === rounds) ? 0 : 1
}

/** The failed files and assertions in a report of countTap.mjs, with what it prints of each. */
function failuresIn(report: string): string {
  const lines = report.split('\n')
  const isFailure = (line: string) => /^ *✖ /.test(line)
  const isDetail = (line: string) => line.startsWith('    ')
  return lines
    .filter((line, index) => {
      if (isFailure(line)) return true
      const begin = lines.slice(0, index).findLastIndex((before) => !isDetail(before))
      return isDetail(line) && isFailure(lines[begin] ?? '')
    })
    .map((line) => `  ${line}\n`)
    .join('')
}

function readArguments(args: readonly string[]): Soak | undefined {
  try {
    const options = { load: { type: 'string', default: '4' }, suite: { type: 'string' } } as const
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [first = '10', ...filters] = positionals
    const [rounds, load] = [Number(first), Number(values.load)]
    const all = Object.keys(commands) as Suite[]
    const suites = values.suite === undefined ? all : all.filter((suite) => suite === values.suite)
    const isValid = Number.isInteger(rounds) && rounds > 0 && Number.isInteger(load) && load >= 0
    return isValid && suites.length > 0 ? { rounds, suites, load, filters } : undefined
  } catch {
    return undefined
  }
}

/** Ends with the process that started it, however that ends. */
const busyLoop = `
  const parent = process.ppid
  const spin = () => {
    for (const end = performance.now() + 100; performance.now() < end; );
    if (process.ppid === parent) setImmediate(spin)
  }
  spin()`

const realActions: SoakActions = {
  async run(suite, filters, file) {
    const options = suite === 'full' ? ['--full'] : []
    const tests = spawn(
      process.execPath,
      [join(root, 'scripts/test.mjs'), ...options, '--reporter=tap', ...filters],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const counter = spawn(process.execPath, [join(root, 'scripts/countTap.mjs'), file], {
      cwd: root,
      stdio: [tests.stdout, 'pipe', 'inherit'],
    })
    const [report, , [code]] = await Promise.all([
      text(counter.stdout),
      once(counter, 'close'),
      // it has no event 'close': its output is read by the other process
      once(tests, 'exit') as Promise<[number | null]>,
    ])
    return { code: code ?? 1, report }
  },
  startLoops(count) {
    const loops = Array.from({ length: count }, () =>
      spawn(process.execPath, ['-e', busyLoop], { stdio: 'ignore' }),
    )
    const end = () => loops.forEach((loop) => loop.kill('SIGKILL'))
    process.once('exit', end)
    return end
  },
  print: (text) => void process.stdout.write(text),
}
