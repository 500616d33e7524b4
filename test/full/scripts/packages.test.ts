import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { load } from '../../scripts/load.js'

const { installPackages } = await load<typeof import('../../../scripts/setup/packages.mjs')>(
  'scripts/setup/packages.mjs',
)
const { withoutStartingServices } =
  await load<typeof import('../../../scripts/setup/policy.mjs')>('scripts/setup/policy.mjs')

const exitOf = (file: string) => spawnSync(file, ['nginx', 'start']).status

t.test('while packages are installed, services are not started; afterwards they are again', (t) => {
  const file = join(t.testdir({}), 'policy-rc.d')
  t.equal(
    withoutStartingServices(() => exitOf(file), file),
    101,
  )
  t.notOk(existsSync(file))
  t.throws(() => {
    withoutStartingServices(() => {
      t.ok(existsSync(file))
      throw new Error('apt-get died')
    }, file)
  }, /apt-get died/)
  t.notOk(existsSync(file), 'removed also when the installation throws')
  t.end()
})

t.test("a policy of the machine's own is left as it is", (t) => {
  const text = '#!/bin/sh\nexit 0\n'
  const folder = t.testdir({ 'policy-rc.d': text })
  const file = join(folder, 'policy-rc.d')
  withoutStartingServices(() => t.equal(readFileSync(file, 'utf8'), text), file)
  t.equal(readFileSync(file, 'utf8'), text)
  t.end()
})

t.test('a policy left behind by SIGKILL forbids nothing and is replaced', (t) => {
  const file = join(t.testdir({}), 'policy-rc.d')
  const killed = `
    const { withoutStartingServices } = await import(${JSON.stringify(join(process.cwd(), 'scripts/setup/policy.mjs'))})
    withoutStartingServices(() => process.kill(process.pid, 'SIGKILL'), ${JSON.stringify(file)})`
  t.equal(spawnSync(process.execPath, ['--input-type=module', '-e', killed]).signal, 'SIGKILL')
  t.ok(existsSync(file))
  t.equal(exitOf(file), 0)
  t.equal(
    withoutStartingServices(() => exitOf(file), file),
    101,
  )
  t.notOk(existsSync(file))
  t.end()
})

for (const [title, kill] of [
  ['Ctrl-C while apt-get runs', (pid: string) => `spawnSync('kill', ['-INT', ${pid}])`],
  [
    'Ctrl-C that is delivered later',
    (pid: string) => `spawn('sh', ['-c', 'sleep 0.2; kill -INT ' + ${pid}])`,
  ],
] as const)
  t.test(`${title} ends the set-up, after it has tidied up`, (t) => {
    const file = join(t.testdir({}), 'policy-rc.d')
    const interrupted = `
      import { spawn, spawnSync } from 'node:child_process'
      const { withoutStartingServices } = await import(${JSON.stringify(join(process.cwd(), 'scripts/setup/policy.mjs'))})
      withoutStartingServices(() => ${kill('String(process.pid)')}, ${JSON.stringify(file)})
      setTimeout(() => {}, 60_000)`
    t.equal(spawnSync(process.execPath, ['--input-type=module', '-e', interrupted]).status, 130)
    t.notOk(existsSync(file))
    t.end()
  })

t.test('apt-get: the lists first, then the packages, without asking', (t) => {
  const policyFile = join(t.testdir({}), 'policy-rc.d')
  const calls: string[][] = []
  const run = (file: string, args: string[]) => {
    calls.push([file, ...args])
    if (args.includes('install')) t.equal(exitOf(policyFile), 101, 'under the policy')
    return { status: 0, stderr: '' }
  }
  installPackages(['tcpdump', 'nfacct'], { run, policyFile })
  t.equal(calls.length, 2)
  t.equal(calls[0]?.at(-1), 'update')
  t.strictSame(calls[1]?.slice(-4), ['install', '--no-install-recommends', 'tcpdump', 'nfacct'])
  t.ok(calls[1]?.includes('-y'))
  t.end()
})

t.test('what was brought does not start with the machine', (t) => {
  const policyFile = join(t.testdir({}), 'policy-rc.d')
  const calls: string[] = []
  const run = (file: string, args: string[]) => {
    calls.push([file, ...args].join(' '))
    return { status: 0, stderr: '' }
  }
  installPackages(['tcpdump', 'nginx-light', 'bind9'], { run, policyFile })
  t.equal(calls.length, 4)
  t.match(calls[2], /systemctl disable .*nginx\.service|update-rc\.d nginx disable/)
  t.match(calls[3], /systemctl disable .*named\.service|update-rc\.d named disable/)
  t.end()
})

t.test('neither does an engine that the tests need', (t) => {
  const policyFile = join(t.testdir({}), 'policy-rc.d')
  const calls: string[] = []
  const run = (file: string, args: string[]) => {
    calls.push([file, ...args].join(' '))
    return { status: 0, stderr: '' }
  }
  installPackages(['docker.io'], { run, policyFile })
  t.match(calls[2], /systemctl disable .*docker\.service|update-rc\.d docker disable/)
  for (const call of calls.slice(3)) t.match(call, /systemctl disable .*docker\.socket/)
  t.end()
})

t.test('when apt-get cannot: what it said, the exact command, exit code 3', (t) => {
  const policyFile = join(t.testdir({}), 'policy-rc.d')
  const run = (_: string, args: string[]) =>
    args.includes('install') ? { status: 100, stderr: 'E: Unable to locate package nfacct\n' } : { status: 0 }
  t.throws(() => installPackages(['nfacct'], { run, policyFile }), {
    message:
      /could not install nfacct \(exit 100\)\n {4}E: Unable to locate.*\n {2}try: .*apt-get install --no-install-recommends nfacct$/s,
    exitCode: 3,
  })
  t.notOk(existsSync(policyFile))
  t.end()
})
