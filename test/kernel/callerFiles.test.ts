import {
  chmodSync,
  chownSync,
  mkdtempSync,
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
  t.ok(files.length > 3, files.join(' '))
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
