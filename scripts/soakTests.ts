// `npm run soak -- tests [count] [--load N]`, called by soak.ts: runs `npm test` and `npm run test:full` repeatedly, ten
// times by default, beside N busy loops (four by default), and prints how many runs passed. The TAP of each run is kept in
// build/soak/.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './bench/workspace.js'

const suites = { 'npm test': [], 'npm run test:full': ['--full'] } as const

/** Runs both suites; returns the exit code: 0 when every run passed, 2 for invalid arguments. */
export async function soakTests(args: readonly string[]): Promise<number> {
  const given = readArguments(args)
  if (given === undefined) {
    process.stderr.write('soak: usage: npm run soak -- tests [count] [--load N]\n')
    return 2
  }
  const { count, load } = given
  const loops = Array.from({ length: load }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  const endLoops = () => loops.forEach((loop) => loop.kill('SIGKILL'))
  process.once('exit', endLoops)
  const passed = new Map<string, number>()
  for (let round = 1; round <= count; round++)
    for (const [name, options] of Object.entries(suites))
      if (await runOnce(name, options, round, count)) passed.set(name, (passed.get(name) ?? 0) + 1)
  endLoops()
  const all = Object.keys(suites).map((name) => ({ name, times: passed.get(name) ?? 0 }))
  for (const { name, times } of all)
    process.stdout.write(`figure: ${name} beside ${load} busy loops: ${times} of ${count} runs passed\n`)
  return all.every(({ times }) => times === count) ? 0 : 1
}

function readArguments(args: readonly string[]): { count: number; load: number } | undefined {
  try {
    const options = { load: { type: 'string', default: '4' } } as const
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [count, load] = [Number(positionals[0] ?? 10), Number(values.load)]
    const isValid = Number.isInteger(count) && count > 0 && Number.isInteger(load) && load >= 0
    return isValid && positionals.length < 2 ? { count, load } : undefined
  } catch {
    return undefined
  }
}

async function runOnce(name: string, options: readonly string[], round: number, count: number) {
  const folder = join(root, 'build/soak')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${round}${options.join('')}.tap`)
  const begin = performance.now()
  const code = await write(
    spawn(process.execPath, [join(root, 'scripts/test.mjs'), ...options, '--reporter=tap'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
    file,
  )
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  const how = code === 0 ? 'passed' : `failed, see ${file}`
  const [busy = 0] = loadavg()
  process.stdout.write(`${name}: run ${round} of ${count} ${how} (${seconds} s, load ${busy.toFixed(1)})\n`)
  if (code !== 0) for (const line of failedFiles(file)) process.stdout.write(`  ${line}\n`)
  return code === 0
}

async function write(child: ChildProcess, file: string): Promise<unknown> {
  child.stdout?.pipe(createWriteStream(file))
  const [code] = (await once(child, 'close')) as unknown[]
  return code
}

function failedFiles(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('not ok'))
}
