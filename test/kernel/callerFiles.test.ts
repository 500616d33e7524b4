import {
  chmodSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { isStream, replaceForCaller, tryToReplace } from '../../src/host/callerFiles.js'
import { cannotRun } from './ability.js'
import { vethlab } from './commandLine.js'

const skip = process.getuid?.() === 0 ? cannotRun : 'needs root'
const [uid, gid] = [65534, 65533]
const sudo = { SUDO_UID: String(uid), SUDO_GID: String(gid) }

t.test('under sudo, reports and captures belong to who called sudo', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  chownSync(folder, uid, gid)
  const [report, pcap] = [join(folder, 'report.json'), join(folder, 'out/pcap')]
  const args = ['run', 'nodeport', '--reporter', 'json', '--output', report, '--pcap', pcap]
  const { code, stdout, stderr } = await vethlab(args, { env: sudo })
  t.equal(code, 0, `${stdout}${stderr}`)
  const files = readdirSync(pcap).map((name) => join(pcap, name))
  t.equal(files.length, 1, files.join(' '))
  for (const path of [report, join(folder, 'out'), pcap, ...files]) {
    const { uid: owner, gid: group } = statSync(path)
    t.strictSame([owner, group], [uid, gid], path)
  }
  t.match(JSON.parse(readFileSync(report, 'utf8')), { ok: true })
  t.ok(
    files.some((path) => statSync(path).size > 24),
    'the captures hold packets',
  )
})

t.test('what the caller may not write is root\u2019s, and is not given away', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const target = join(folder, 'target')
  writeFileSync(target, 'before')
  const link = join(folder, 'link')
  symlinkSync(target, link)
  for (const path of [join(folder, 'new'), link]) {
    const { code, stderr } = await vethlab(['run', 'nodeport', '--output', path], { env: sudo })
    t.equal(code, 0, stderr)
    t.equal(statSync(path).uid, 0)
  }
})

t.test('a report replaces a file as a whole, and keeps whose it is', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [target, link, later] = [join(folder, 'target'), join(folder, 'link'), join(folder, 'later')]
  writeFileSync(target, 'before', { mode: 0o640 })
  symlinkSync('target', link)
  symlinkSync('made', later)
  const before = openSync(target, 'r')
  t.teardown(() => closeSync(before))
  tryToReplace(link)
  tryToReplace(later)
  t.strictSame(readdirSync(folder), ['later', 'link', 'target'], 'a trial leaves nothing')
  t.equal(readFileSync(target, 'utf8'), 'before')
  for (const path of [link, later]) replaceForCaller(path, (fd) => writeFileSync(fd, 'after'))
  t.equal(readFileSync(target, 'utf8'), 'after')
  t.equal(readFileSync(before, 'utf8'), 'before', 'who has it open reads the one before')
  t.equal(statSync(target).mode & 0o777, 0o640)
  t.equal(readFileSync(join(folder, 'made'), 'utf8'), 'after', 'a link to what is not there yet')
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' })
  }
  t.throws(() => replaceForCaller(target, full), { message: /ENOSPC/ })
  t.equal(readFileSync(target, 'utf8'), 'after', 'a report that cannot be written leaves the one before')
  t.strictSame(readdirSync(folder), ['later', 'link', 'made', 'target'], 'no temporary file')
  t.ok(isStream('/dev/null'))
  t.notOk(isStream(target))
  t.throws(() => tryToReplace(folder), { code: 'EISDIR' })
  t.throws(() => tryToReplace(join(folder, 'no/report')), { code: 'ENOENT' })
})

t.test('a file that cannot be renamed to is written directly', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [mount, source] = [join(folder, 'mount'), join(folder, 'source')]
  for (const path of [mount, source]) writeFileSync(path, '')
  const script = `mount --bind ${source} ${mount} && exec "$@"`
  const inside = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh']
  const { code, stderr } = await vethlab(['run', 'nodeport', '--reporter', 'json', '--output', mount], {
    inside,
  })
  t.equal(code, 0, stderr)
  t.match(JSON.parse(readFileSync(source, 'utf8')), { ok: true })
  t.strictSame(readdirSync(folder), ['mount', 'source'])
})
