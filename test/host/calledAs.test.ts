import t from 'tap'
import { anywhere, calledAs, runsAs } from '../../src/host/calledAs.js'

t.test('remedies and new labs name the command that the user typed', async (t) => {
  t.strictSame(calledAs({}), ['vethlab'])
  t.strictSame(runsAs({}), ['vethlab', 'run'])
  t.strictSame(calledAs({ npm_command: 'exec', npm_lifecycle_event: 'npx' }), ['npx', 'vethlab'])
  t.strictSame(runsAs({ npm_command: 'exec' }), ['npx', 'vethlab', 'run'])
  const npm = { npm_command: 'run-script', npm_config_local_prefix: '/home/a/vethlab' }
  const inside = { ...npm, npm_lifecycle_event: 'vethlab', INIT_CWD: '/home/a/vethlab/labs' }
  t.strictSame(calledAs(inside), ['npm', 'run', 'vethlab', '--'])
  t.strictSame(runsAs({ ...inside, npm_lifecycle_event: 'lab' }), ['npm', 'run', 'vethlab', '--', 'run'])
})

t.test('outside the clone, they name the clone', async (t) => {
  const outside = {
    npm_config_local_prefix: '/home/a/vethlab',
    npm_lifecycle_event: 'vethlab',
    INIT_CWD: '/home/a/work',
  }
  const words = ['npm', '--prefix', '/home/a/vethlab', 'run', '--silent', 'vethlab', '--']
  t.strictSame(calledAs(outside), words)
  t.strictSame(anywhere({ ...outside, INIT_CWD: '/home/a/vethlab' }), words)
})
