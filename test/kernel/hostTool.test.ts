import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { nodeTables, type NodeTables } from '../../src/host/proxier/nodeTables.js'
import type { Sandbox } from '../../src/host/sandbox/sandbox.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { until } from '../../src/host/until.js'
import { splitNft } from '../../src/netfilter/splitNft.js'
import { cannotRun } from './ability.js'

const netns = 'node'

async function node(t: Test): Promise<{ sandbox: Sandbox; tables: NodeTables }> {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
  return { sandbox, tables: nodeTables(sandbox, { program: () => '' } as never, netns, 'IPv4') }
}

t.test('nft loads a large ruleset as one transaction', { skip: cannotRun }, async (t) => {
  const { sandbox, tables } = await node(t)
  if (!sandbox.largeMessages) return t.comment('this process is not root of the host')
  const chains = Array.from({ length: 3000 }, (_, index) => `add chain ip large chain-${index}\n`).join('')
  const text = `add table ip large\n${chains}`
  t.ok(splitNft(text).length > 1, 'it is too large for one message in a user namespace')
  const failed = await tables.applyNft(`${text}add rule ip large missing accept\n`)
  t.match(failed, /missing/)
  t.equal((await sandbox.run(['nft', 'list', 'tables'], { netns })).stdout, '', 'nothing of it was loaded')
  t.equal(await tables.applyNft(text), undefined)
  const { stdout } = await sandbox.run(['nft', 'list', 'chains'], { netns })
  t.equal(stdout.match(/chain chain-/g)?.length, 3000)
})

t.test('a tool of the host has no more rights than it needs', { skip: cannotRun }, async (t) => {
  const { sandbox } = await node(t)
  if (!sandbox.largeMessages || sandbox.owner === 0) return t.comment('no tool of the host runs here')
  const run = (...argv: string[]) => sandbox.run(argv, { netns, largeMessages: true })
  const sleep = sandbox.start(['sleep', 'infinity'], { netns, largeMessages: true })
  const read = () => readFileSync(`/proc/${sleep.process.pid}/status`, 'utf8')
  t.ok(await until(() => read().startsWith('Name:\tsleep'), { patienceMs: 30_000 }))
  const status = read()
  sleep.process.kill('SIGKILL')
  for (const set of ['Prm', 'Eff', 'Bnd', 'Inh', 'Amb'])
    t.match(status, new RegExp(`^Cap${set}:\\s+0*1000$`, 'm'), `${set}: CAP_NET_ADMIN alone`)
  t.match(status, new RegExp(`^Uid:(\\s+${sandbox.owner}){4}$`, 'm'))
  t.match(status, new RegExp(`^Gid:(\\s+${sandbox.owner}){4}$`, 'm'))
  t.match(status, /^Groups:[\t ]*$/m)
  t.match(status, /^NoNewPrivs:\s+1$/m)
  t.equal((await run('test', '-e', '/proc/self')).exitCode, 1, 'it sees no processes of the host')
  t.equal((await run('ip', '-o', 'link')).stdout.match(/^\d+:/gm)?.length, 1, 'the network of the node')
  t.not((await run('mount', '-t', 'tmpfs', 'tmpfs', '/mnt')).exitCode, 0, 'it cannot mount')
  t.not((await run('cat', '/etc/shadow')).exitCode, 0, "nor read root's files")
})

t.test('a lab cannot replace a tool of the host, nor what it loads', { skip: cannotRun }, async (t) => {
  const { sandbox } = await node(t)
  if (!sandbox.largeMessages || sandbox.owner === 0) return t.comment('no tool of the host runs here')
  const fake = 'for folder in /run/vethlab/bin /usr/sbin /usr/bin; do'
  const script = `${fake} printf '#!/bin/sh\\necho fake\\n' >$folder/nft && chmod +x $folder/nft
cp $folder/nft $folder/setpriv; done 2>/dev/null
echo /run/vethlab/shared/lib.so >/etc/ld.so.preload`
  await sandbox.must('replacing', ['sh', '-c', script], { files: netns })
  const inLab = await sandbox.run(['nft', '--version'], { netns, files: netns })
  t.match(inLab.stdout, 'fake', 'commands of the lab run it')
  for (const largeMessages of [true, false]) {
    const { stdout, stderr } = await sandbox.run(['nft', '--version'], { netns, largeMessages })
    t.match(stdout, /^nftables v/)
    t.notMatch(stderr, 'preload')
  }
})
