import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { WriteError } from '../../src/errors.js'
import { userFile } from '../../src/host/userState.js'

t.test('a file of the state folder is where the XDG Base Directory Specification has it', async (t) => {
  const home = t.testdir()
  t.equal(userFile('x.json', { HOME: home }).path, join(home, '.local/state/vethlab/x.json'))
  t.equal(userFile('x.json', { HOME: home, XDG_STATE_HOME: '/var/s' }).path, '/var/s/vethlab/x.json')
  const relative = userFile('x.json', { HOME: home, XDG_STATE_HOME: 'state' }).path
  t.equal(relative, join(home, '.local/state/vethlab/x.json'), 'a relative one is ignored')
})

t.test('it is written whole, and read again', async (t) => {
  const file = userFile('x.json', { XDG_STATE_HOME: t.testdir() })
  t.equal(file.read(), undefined)
  file.write('one')
  file.write('two')
  t.equal(file.read(), 'two')
  t.equal(statSync(file.path).mode & 0o777, 0o600)
})

t.test(
  'processes that write it at once do not share a temporary file, and a failed write leaves none',
  async (t) => {
    const state = t.testdir({ vethlab: { 'x.json': {}, 'x.json.new': 'of another process' } })
    t.throws(() => userFile('x.json', { XDG_STATE_HOME: state }).write('one'), WriteError)
    t.strictSame(readdirSync(join(state, 'vethlab')), ['x.json', 'x.json.new'])
    t.equal(readFileSync(join(state, 'vethlab/x.json.new'), 'utf8'), 'of another process')
  },
)

t.test('the temporary files of processes that were killed are removed', async (t) => {
  const running = `x.json.${process.ppid}.new`
  // above the largest pid (PID_MAX_LIMIT)
  const files = { [running]: '', 'x.json.4194305.new': '', 'y.json.4194305.new': '' }
  const state = t.testdir({ vethlab: files })
  userFile('x.json', { XDG_STATE_HOME: state }).write('one')
  t.strictSame(readdirSync(join(state, 'vethlab')).sort(), ['x.json', running, 'y.json.4194305.new'].sort())
})

t.test('a folder that cannot be created is reported', async (t) => {
  const home = t.testdir({ '.local': 'a file' })
  t.throws(() => userFile('x.json', { HOME: home }).write('one'), WriteError)
  t.throws(() => userFile('x.json', { HOME: '/proc/1/x' }).write('one'), WriteError, 'below /proc too')
})

const notRoot = process.getuid?.() !== 0 && 'needs root'

t.test('under sudo it is the file of who called sudo', { skip: notRoot }, async (t) => {
  const [uid, gid] = [65534, 65533]
  // the clone may be in a folder that others cannot enter
  const folder = mkdtempSync(join(tmpdir(), 'user-state-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const home = join(folder, 'home')
  mkdirSync(home)
  chownSync(home, uid, gid)
  const env = { HOME: '/root', SUDO_UID: String(uid), SUDO_GID: String(gid), SUDO_HOME: home }
  const file = userFile('x.json', env)
  t.equal(file.path, join(home, '.local/state/vethlab/x.json'))
  file.write('one')
  for (const path of [file.path, join(home, '.local'), join(home, '.local/state/vethlab')]) {
    const { uid: owner, gid: group } = statSync(path)
    t.strictSame([owner, group], [uid, gid], path)
  }
  t.equal(file.read(), 'one')
  t.strictSame([process.geteuid?.(), process.getegid?.()], [0, 0], 'root again afterwards')

  const closed = join(folder, 'closed')
  mkdirSync(closed)
  t.throws(() => userFile('x.json', { ...env, SUDO_HOME: closed }).write('one'), WriteError)
  t.equal(process.geteuid?.(), 0, 'and after what failed')
})
