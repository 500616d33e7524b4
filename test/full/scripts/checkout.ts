import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** How a script ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A checkout with the real set-up and sources that build in no time; `builds` says how often they were built. */
export interface Checkout {
  readonly root: string
  readonly write: (path: string, text: string) => void
  readonly builds: () => number
  readonly setUp: (...needs: string[]) => Ended
  readonly startSetUp: (...needs: string[]) => Promise<Ended>
  readonly remove: () => void
}

const build = `
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
if (readFileSync('src/a.ts', 'utf8').includes('broken')) process.exit(1)
const folder = 'dist'
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
writeFileSync(folder + '/cli.cjs', 'process.stdout.write(process.argv.slice(2).join(" ") + " in " + process.cwd())')
appendFileSync('built.log', folder + '\\n')
`

const lock = {
  name: 'fixture',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'fixture', version: '1.0.0', dependencies: { part: 'file:part' } },
    'node_modules/part': { resolved: 'part', link: true },
    part: { version: '1.0.0' },
  },
}

/** Makes a checkout in a folder of its own under the system's temporary folder. */
export function makeCheckout(): Checkout {
  const root = mkdtempSync(join(tmpdir(), 'vethlab checkout '))
  for (const path of [
    'scripts/setup.mjs',
    'scripts/vethlab.mjs',
    'scripts/setup',
    'Dockerfile',
    'src/host/doctor/requirements.json',
  ]) {
    cpSync(join(process.cwd(), path), join(root, path), { recursive: true })
  }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write(
    'package.json',
    JSON.stringify({ name: 'fixture', version: '1.0.0', dependencies: { part: 'file:part' } }),
  )
  write('package-lock.json', JSON.stringify(lock))
  write('part/package.json', JSON.stringify({ name: 'part', version: '1.0.0' }))
  write('scripts/build.mjs', build)
  write('src/a.ts', 'a')
  write('src/b.ts', 'b')
  write('test/a.test.ts', 'a')
  const script = join(root, 'scripts/setup.mjs')
  return {
    root,
    write,
    builds: () => {
      const log = join(root, 'built.log')
      return existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0
    },
    setUp(...needs) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...needs], { encoding: 'utf8' })
      return { code: status, stdout, stderr }
    },
    startSetUp(...needs) {
      return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [script, ...needs])
        let [stdout, stderr] = ['', '']
        child.stdout.on('data', (data) => (stdout += String(data)))
        child.stderr.on('data', (data) => (stderr += String(data)))
        child.on('error', reject)
        child.on('close', (code) => resolve({ code, stdout, stderr }))
      })
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
