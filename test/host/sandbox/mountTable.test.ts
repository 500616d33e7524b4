import t from 'tap'
import { madeRoot, mountTable, presentDevices } from '../../../src/host/sandbox/mountTable.js'

const table = (folders: readonly string[], exists: (path: string) => boolean = () => true) =>
  mountTable(folders, exists)
    .replaceAll(/vethlab-[0-9a-f-]{36}/g, 'NAME')
    .replaceAll(madeRoot, 'ROOT')
    .split('\n')

t.test('a root has /proc, /sys, devices, terminals, folders for all, and then what is visible', (t) => {
  t.strictSame(
    table(['/tmp/lab', '/usr'], (path) => path !== '/dev/net/tun'),
    [
      '/proc ROOT/proc none rbind 0 0',
      '/sys ROOT/sys none rbind 0 0',
      'NAME ROOT/sys/fs/cgroup tmpfs ro,mode=555 0 0',
      ...['null', 'zero', 'full', 'random', 'urandom', 'tty'].map(
        (device) => `/dev/${device} ROOT/dev/${device} none bind 0 0`,
      ),
      'NAME ROOT/dev/pts devpts newinstance,ptmxmode=0666,mode=0620 0 0',
      ...['/tmp', '/var/tmp', '/dev/shm'].map((folder) => `NAME ROOT${folder} tmpfs mode=1777 0 0`),
      '/run ROOT/run none bind 0 0',
      '/tmp/lab ROOT/tmp/lab none rbind,X-mount.mkdir 0 0',
      '/usr ROOT/usr none rbind,X-mount.mkdir 0 0',
      '',
    ],
  )
  t.end()
})

t.test('what a host lacks is not mounted', (t) => {
  const lines = table([], () => false)
  t.equal(lines.filter((line) => /cgroup|null|tun/.test(line)).length, 0)
  t.strictSame(
    presentDevices(() => false),
    [],
  )
  t.end()
})

t.test('white space, backslashes and # are escaped', (t) => {
  t.ok(
    table(['/home/a b\tc\nd\\e#f']).includes(
      ['/home/a\\040b\\011c\\012d\\134e\\043f', 'ROOT/home/a\\040b\\011c\\012d\\134e\\043f'].join(' ') +
        ' none rbind,X-mount.mkdir 0 0',
    ),
  )
  t.end()
})

t.test('no two tables use the same name: mount(8) skips what is already mounted', (t) => {
  t.not(mountTable([]), mountTable([]))
  t.end()
})
