import t from 'tap'
import { covers, coversOf } from '../../src/host/covers.js'

const open = () => true

t.test('home folders are covered, and what is needed of them is shown', (t) => {
  const wanted = ['/home/me/vethlab/dist', '/home/me/vethlab/labs/own', '/usr/bin/node']
  t.strictSame(covers(['/root', '/home', '/home/me', '/tmp'], wanted, open), {
    covered: ['/home', '/root', '/tmp'],
    shown: ['/home/me/vethlab/dist', '/home/me/vethlab/labs/own'],
  })
  t.end()
})

t.test('what is in something that is shown is not shown twice', (t) => {
  const { shown } = covers(['/home'], ['/home/a/lab', '/home/a/lab/kube-proxy', '/home/a/lab'], open)
  t.strictSame(shown, ['/home/a/lab'])
  t.end()
})

t.test('a folder that others cannot enter is covered where something in it is shown', (t) => {
  const closed = (folder: string) => folder !== '/srv/private'
  t.strictSame(covers(['/home'], ['/srv/private/vethlab/dist', '/srv/open/dist'], closed), {
    covered: ['/home', '/srv/private'],
    shown: ['/srv/private/vethlab/dist'],
  })
  t.end()
})

t.test('a folder that is named like the start of another is not in it', (t) => {
  t.strictSame(covers(['/home/a'], ['/home/ab/dist'], open).shown, [])
  t.end()
})

t.test('on this host', (t) => {
  const { covered } = coversOf([])
  t.ok(covered.includes('/tmp'))
  for (const folder of ['/', '/usr', '/etc', '/proc', '/run']) t.notOk(covered.includes(folder), folder)
  t.end()
})
