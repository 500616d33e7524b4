import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { brokenTool, findTool, requireTools, toolEnvironment } from '../../src/host/environment.js'

t.test('a tool is a file that can be executed, the first on the path', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = ['empty', 'first', 'second'].map((name) => join(folder, name))
  for (const one of path) mkdirSync(one)
  mkdirSync(join(folder, 'empty', 'tool'))
  writeFileSync(join(folder, 'first', 'tool'), '', { mode: 0o644 })
  t.equal(findTool('tool', path.join(':')), undefined)
  t.equal(brokenTool('tool', path.join(':')), join(folder, 'empty', 'tool'))
  writeFileSync(join(folder, 'second', 'tool'), '', { mode: 0o755 })
  t.equal(findTool('tool', path.join(':')), join(folder, 'second', 'tool'))
  t.equal(brokenTool('tool', path.join(':')), undefined)
  t.equal(brokenTool('other', path.join(':')), undefined)
  t.end()
})

t.test('each missing tool is reported once, with the command that installs it', (t) => {
  const error = {
    message:
      /^not installed on this host: vethlab-none, vethlab-other\n {2}try: .*apt-get install --no-install-recommends vethlab-none vethlab-other$/,
  }
  t.throws(() => requireTools(['sh', 'vethlab-none', 'vethlab-other', 'vethlab-none']), error)
  t.end()
})

t.test('commands get a short list of the environment', (t) => {
  const environment = toolEnvironment({
    GITHUB_TOKEN: 'secret',
    HOME: '/root',
    TERM: 'xterm',
    PATH: '/usr/share:/vethlab-none:/run/own:relative',
  })
  t.strictSame(Object.keys(environment).sort(), ['HOME', 'LC_ALL', 'PATH', 'TERM'])
  t.equal(environment['TERM'], 'xterm')
  t.match(environment['PATH'], /^\/.vethlab:\/usr\/share:\/usr\/local\/sbin:/)
  t.not(environment['HOME'], '/root')
  t.end()
})
