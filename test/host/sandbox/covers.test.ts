import { realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { covers, coversOf, linksOn } from '../../../src/host/sandbox/covers.js'

const open = () => true

t.test('home folders are covered, and what is needed of them is shown', (t) => {
  const paths = ['/home/me/vethlab/dist', '/home/me/vethlab/labs/own', '/usr/bin/node']
  t.strictSame(covers(['/root', '/home', '/home/me', '/tmp'], { paths, links: [] }, open), {
    covered: ['/home', '/root', '/tmp'],
    shown: ['/home/me/vethlab/dist', '/home/me/vethlab/labs/own'],
    links: [],
  })
  t.end()
})

t.test('what is in something that is shown is not shown twice', (t) => {
  const { shown } = covers(
    ['/home'],
    { paths: ['/home/a/lab', '/home/a/lab/kube-proxy', '/home/a/lab'], links: [] },
    open,
  )
  t.strictSame(shown, ['/home/a/lab'])
  t.end()
})

t.test('a folder that others cannot enter is covered where something in it is shown', (t) => {
  const closed = (folder: string) => folder !== '/srv/private'
  const paths = ['/srv/private/vethlab/dist', '/srv/open/dist']
  t.strictSame(covers(['/home'], { paths, links: [] }, closed), {
    covered: ['/home', '/srv/private'],
    shown: ['/srv/private/vethlab/dist'],
    links: [],
  })
  t.end()
})

t.test('a folder that is named like the start of another is not in it', (t) => {
  t.strictSame(covers(['/home/a'], { paths: ['/home/ab/dist'], links: [] }, open).shown, [])
  t.end()
})

t.test(
  'links are made again where they are covered, not where the link itself is shown or not covered',
  (t) => {
    const inside = { path: '/home/me/lab/latest', target: 'v1' }
    const covered = { path: '/home/me/short', target: 'lab' }
    const elsewhere = { path: '/opt/lab', target: '/home/me/lab' }
    const links = [covered, inside, covered, elsewhere]
    t.strictSame(covers(['/home'], { paths: ['/home/me/lab'], links }, open).links, [covered])
    t.end()
  },
)

t.test('a link in a folder that others cannot enter covers that folder', (t) => {
  const link = { path: '/srv/private/lab', target: '/opt/lab' }
  const closed = (folder: string) => folder !== '/srv/private'
  const wanted = { paths: ['/opt/lab'], links: [link] }
  t.strictSame(covers([], wanted, closed), { covered: ['/srv/private'], shown: [], links: [link] })
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
  const { covered } = coversOf([])
  t.ok(covered.includes('/tmp'))
  for (const folder of ['/', '/usr', '/etc', '/proc', '/run']) t.notOk(covered.includes(folder), folder)
  t.end()
})
