import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { labGroupName, makeLabGroup, type LabGroup } from '../../../src/host/groups/labGroup.js'
import { limitNotices } from '../../../src/host/sandbox/sandboxNotices.js'

/** A folder with the files of control groups; the kernel makes those of a new group, and here its makers do. */
function fakeRoot(t: Test, files: Readonly<Record<string, string>>): string {
  const root = t.testdir()
  for (const [path, text] of Object.entries(files)) put(join(root, path), text)
  return root
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const one = { 'memory/cgroup.procs': '', 'pids/cgroup.procs': '' }
const two = {
  'cgroup.controllers': 'cpu memory pids\n',
  'cgroup.subtree_control': '\n',
  // the kernel makes it with the folder
  'vethlab-labs/cgroup.subtree_control': '\n',
}

function made(group: LabGroup | string): LabGroup {
  if (typeof group === 'string') throw new Error(group)
  return group
}

/** The folders that a command enters. */
function foldersOf({ enter }: LabGroup): string[] {
  return [...(enter[2] ?? '').matchAll(/'([^']+)\/cgroup\.procs'/g)].map(([, folder = '']) => folder)
}

const memory = String(Math.floor(Math.min(totalmem() / 2, 8 * 2 ** 30)))

t.test('version 1: a group in two hierarchies, with the default limits', (t) => {
  const root = fakeRoot(t, one)
  const folders = foldersOf(made(makeLabGroup({ root, self: '5:memory:/\n4:pids:/\n' })))
  t.strictSame(
    folders.map((folder) => dirname(folder)),
    [join(root, 'memory/vethlab-labs'), join(root, 'pids/vethlab-labs')],
  )
  const [ofMemory = '', ofTasks = ''] = folders
  t.equal(readFileSync(join(ofMemory, 'memory.limit_in_bytes'), 'utf8'), memory)
  t.equal(readFileSync(join(ofTasks, 'pids.max'), 'utf8'), '8192')
  t.end()
})

t.test('version 2: one group, to which the controllers are passed on', (t) => {
  const root = fakeRoot(t, two)
  const [folder = '', ...others] = foldersOf(made(makeLabGroup({ root, self: '0::/\n' })))
  t.strictSame(others, [])
  t.equal(dirname(folder), join(root, 'vethlab-labs'))
  t.equal(readFileSync(join(root, 'cgroup.subtree_control'), 'utf8'), '+memory +pids')
  t.equal(readFileSync(join(folder, 'memory.max'), 'utf8'), memory)
  t.equal(readFileSync(join(folder, 'pids.max'), 'utf8'), '8192')
  t.end()
})

t.test('a lab sets limits, but gets no more than its caller has', (t) => {
  const root = fakeRoot(t, {
    ...two,
    'user/memory.max': 'max\n',
    'user/pids.max': '1000\n',
    'user/one/memory.max': '300000000\n',
    'user/one/pids.max': '4000\n',
  })
  const group = made(makeLabGroup({ root, self: '0::/user/one\n' }))
  const [folder = ''] = foldersOf(group)
  const limits = () => ['memory.max', 'pids.max'].map((file) => readFileSync(join(folder, file), 'utf8'))
  t.strictSame(limits(), ['300000000', '1000'])
  group.limit({ memory: 100_000_000 })
  t.strictSame(limits(), ['100000000', '1000'])
  group.limit({ memory: 1e30, tasks: 5000 })
  t.strictSame(limits(), ['300000000', '1000'])
  t.end()
})

t.test('the limits that were reached, with what the user reads', (t) => {
  const root = fakeRoot(t, one)
  const group = made(makeLabGroup({ root, self: '' }))
  group.limit({ memory: 2 * 2 ** 30, tasks: 300 })
  const [ofMemory = '', ofTasks = ''] = foldersOf(group)
  put(join(ofMemory, 'memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 0\n')
  put(join(ofTasks, 'pids.events'), 'max 0\n')
  t.strictSame(limitNotices(group.reached()), [])
  put(join(ofMemory, 'memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n')
  put(join(ofTasks, 'pids.events'), 'max 12\n')
  t.strictSame(limitNotices(group.reached()), [
    'a process of the lab was ended because the lab reached its limit of memory (2 GiB); `limits:` in lab.yaml raises it',
    'a process of the lab could not be started because the lab reached its limit of tasks, which are processes and threads (300); `limits:` in lab.yaml raises it',
  ])
  for (const folder of [ofMemory, ofTasks]) rmSync(folder, { recursive: true })
  t.equal(limitNotices(group.reached()).length, 2, 'also when the group was removed')
  t.end()
})

t.test('empty groups of processes that have ended are removed', (t) => {
  const root = fakeRoot(t, one)
  const groups = join(root, 'pids/vethlab-labs')
  // no process has this number
  for (const name of ['99999999-0', `${process.pid}-999`, 'other'])
    mkdirSync(join(groups, name), { recursive: true })
  makeLabGroup({ root, self: '' })
  t.strictSame(
    ['99999999-0', `${process.pid}-999`, 'other'].map((name) => existsSync(join(groups, name))),
    [false, true, true],
  )
  t.end()
})

t.test('a host without groups, and a lab of a class, get the reason', (t) => {
  t.match(makeLabGroup({ root: t.testdir(), self: '' }), /no control group for memory/)
  const inClass = makeLabGroup({ root: fakeRoot(t, one), self: '4:pids:/vethlab-class/ada\n' })
  t.match(inClass, /a participant/)
  t.end()
})

t.test('the name of a group', (t) => {
  t.equal(labGroupName('9:name=systemd:/\n8:pids:/vethlab-labs/12-3\n4:memory:/vethlab-labs/12-3\n'), '12-3')
  t.equal(labGroupName('0::/docker/abc/vethlab-labs/12-3\n'), '12-3')
  for (const other of ['', '0::/\n', '0::/vethlab-class/ada\n', '0::/vethlab-labs/x\n'])
    t.equal(labGroupName(other), undefined, other)
  t.end()
})
