import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const vagrant = spawnSync('vagrant', ['--version'], { encoding: 'utf8' })
const skip = vagrant.status === 0 ? false : 'there is no vagrant here'

t.test('the Vagrantfile is one that Vagrant takes', { skip }, (t) => {
  const folder = t.testdir({ home: {} })
  cpSync('Vagrantfile', join(folder, 'Vagrantfile'))
  // the provisioner is looked for
  mkdirSync(join(folder, 'scripts'))
  cpSync('scripts/vm', join(folder, 'scripts/vm'), { recursive: true })
  const home = join(folder, 'home')
  const validate = (more: Record<string, string>) =>
    spawnSync('vagrant', ['validate', '--ignore-provider'], {
      cwd: folder,
      env: { ...process.env, HOME: home, VAGRANT_HOME: home, VAGRANT_NO_COLOR: '1', ...more },
      encoding: 'utf8',
    })
  t.match(validate({ VETHLAB_BOX: 'generic/debian12', VETHLAB_CPUS: '4' }), {
    status: 0,
    stdout: /validated successfully/,
  })
  t.notSame(validate({ VETHLAB_CPUS: 'many' }).status, 0, 'a number that is none is refused')
  t.end()
})

t.test('what runs in the machine is a script for sh', (t) => {
  for (const script of ['scripts/vm/provision.sh', 'scripts/vm/guestInit.sh'])
    t.match(spawnSync('dash', ['-n', script], { encoding: 'utf8' }), { status: 0, stderr: '' }, script)
  t.end()
})
