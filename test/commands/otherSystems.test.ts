import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import t from 'tap'

const bundle = 'test/golden/bundles/dump-target-port/bundle'

/** A module that makes Node look like that of another system: without /proc, and on Windows without users. */
const lookLike = (platform: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    Object.defineProperty(process, 'platform', { value: '${platform}' })
    if ('${platform}' === 'win32') for (const name of ['getuid', 'geteuid', 'getgid']) process[name] = undefined
    for (const name of ['readFileSync', 'readdirSync', 'readlinkSync', 'statSync', 'openSync']) {
      const real = fs[name]
      fs[name] = (path, ...rest) => real(String(path).startsWith('/proc') ? '/absent' : path, ...rest)
    }
    const { existsSync } = fs
    fs.existsSync = (path) => !String(path).startsWith('/proc') && existsSync(path)
    syncBuiltinESMExports()`)}`

function vethlabOn(platform: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', lookLike(platform), join(process.cwd(), 'dist/cli.cjs'), ...args],
    { encoding: 'utf8', env: { PATH: '/absent', LC_ALL: 'C' } },
  )
  return { code: status, stdout, stderr }
}

for (const platform of ['darwin', 'win32']) {
  t.test(`on ${platform}, questions about files are answered without a tool`, (t) => {
    const checked = vethlabOn(platform, 'check', bundle)
    t.match(checked.stdout, /targetPort/)
    t.equal(checked.code, 1, checked.stderr)
    const asked = vethlabOn(platform, 'why', bundle, 'outside', 'http://10.96.0.1/')
    t.equal(asked.code, 1, asked.stderr)
    t.match(asked.stdout, /outside calls 10\.96\.0\.1:80/)
    const traced = vethlabOn(platform, 'trace', 'nodeport', 'client', 'http://172.18.0.2:30080/', '--predict')
    t.equal(traced.code, 0, traced.stderr)
    for (const args of [['diff', bundle], ['collect'], ['plan', 'nodeport'], ['list'], ['ps'], ['explain']])
      t.match(vethlabOn(platform, ...args), { code: 0, stderr: '' }, args.join(' '))
    t.end()
  })

  t.test(`on ${platform}, what needs a Linux kernel says so`, (t) => {
    for (const args of [['run', 'nodeport'], ['up', 'nodeport'], ['doctor']])
      t.match(
        vethlabOn(platform, ...args),
        { code: 3, stderr: `labs need a Linux kernel, and this host has ${platform}` },
        args.join(' '),
      )
    t.end()
  })
}
