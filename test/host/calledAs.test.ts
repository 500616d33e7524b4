import t from 'tap'
import { calledAs, runsAs } from '../../src/host/calledAs.js'

t.test('remedies and new labs name the command that the user typed', async (t) => {
  t.strictSame(calledAs({}), ['vethlab'])
  t.strictSame(runsAs({}), ['vethlab', 'run'])
  t.strictSame(calledAs({ npm_command: 'exec', npm_lifecycle_event: 'npx' }), ['npx', 'vethlab'])
  t.strictSame(runsAs({ npm_command: 'exec' }), ['npx', 'vethlab', 'run'])
  t.strictSame(calledAs({ npm_command: 'run-script', npm_lifecycle_event: 'vethlab' }), [
    'npm',
    'run',
    'vethlab',
    '--',
  ])
  t.strictSame(runsAs({ npm_lifecycle_event: 'lab' }), ['npm', 'run', 'lab'])
})
