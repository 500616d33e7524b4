import t from 'tap'
import { mountTable } from '../../../src/host/sandbox/mountTable.js'

const table = (covers: { covered?: string[]; shown?: string[] }) =>
  mountTable({ covered: [], shown: [], links: [], ...covers }).replaceAll(/vethlab-[0-9a-f-]{36}/g, 'NAME')

t.test('what is shown is mounted before the folders that hide it', (t) => {
  t.equal(
    table({ covered: ['/root', '/tmp'], shown: ['/root/bin', '/tmp/lab'] }),
    [
      '/root/bin /run/shown/1 none bind,X-mount.mkdir 0 0',
      '/tmp/lab /run/shown/2 none bind,X-mount.mkdir 0 0',
      'NAME /root tmpfs mode=755 0 0',
      'NAME /tmp tmpfs mode=1777 0 0',
      '',
    ].join('\n'),
  )
  t.equal(table({}), '', 'nothing to mount')
  t.end()
})

t.test('white space, backslashes and # are escaped', (t) => {
  t.equal(
    table({ covered: ['/home/a b\tc\nd\\e#f'] }),
    'NAME /home/a\\040b\\011c\\012d\\134e\\043f tmpfs mode=755 0 0\n',
  )
  t.end()
})

t.test('no two tables use the same name: mount(8) skips what is already mounted', (t) => {
  const covers = { covered: ['/tmp'], shown: [], links: [] }
  t.not(mountTable(covers), mountTable(covers))
  t.end()
})
