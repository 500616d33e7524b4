import { existsSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { linksOn, visible, visibleFiles } from '../../../src/host/sandbox/visibleFiles.js'

const isFolder = (path: string) => !path.endsWith('node')

t.test('what is in something visible is not listed again', (t) => {
  const { folders } = visible(
    ['/home/a/lab', '/home/a/lab/kube-proxy', '/home/a/lab', '/home/ab'],
    [],
    isFolder,
  )
  t.strictSame(folders, ['/home/a/lab', '/home/ab'])
  t.end()
})

t.test('files are listed apart from folders', (t) => {
  t.strictSame(visible(['/usr', '/opt/node', '/usr/bin/node'], [], isFolder), {
    ...{ folders: ['/usr'], files: ['/opt/node'], links: [] },
  })
  t.end()
})

t.test('what the sandbox has itself is not taken from the host, nor is all of it', (t) => {
  const paths = ['/', '/proc', '/proc/1/root', '/dev/shm/lab', '/run/user/1000', '/sys', '/etc/ssl', '/runs']
  t.strictSame(visible(paths, [], isFolder).folders, ['/runs'])
  t.end()
})

t.test('links are made again, except those in something visible', (t) => {
  const inside = { path: '/home/me/lab/latest', target: 'v1' }
  const outside = { path: '/home/me/short', target: 'lab' }
  const own = { path: '/run/lab', target: '/home/me/lab' }
  t.strictSame(visible(['/home/me/lab'], [outside, inside, outside, own], isFolder).links, [outside])
  t.end()
})

t.test('the links on a path are those of its folders, and those they lead to', (t) => {
  const folder = realpathSync(t.testdir({ real: { lab: {} } }))
  const at = (...names: string[]) => join(folder, ...names)
  symlinkSync('lab', at('real/second'))
  symlinkSync(at('real'), at('first'))
  t.strictSame(linksOn(at('first/second')), [
    { path: at('first'), target: at('real') },
    { path: at('real/second'), target: 'lab' },
  ])
  t.strictSame(linksOn(at('real/lab')), [])
  t.strictSame(linksOn(at('gone/lab')), [])
  t.end()
})

t.test('on this host', (t) => {
  const { folders, files, links } = visibleFiles([])
  t.ok(folders.includes('/usr'))
  for (const folder of ['/', '/etc', '/home', '/proc', '/root', '/run', '/srv', '/tmp', '/var'])
    t.notOk(folders.includes(folder), folder)
  for (const path of [...folders, ...files, ...links.map((link) => link.path)]) t.ok(existsSync(path), path)
  t.end()
})
