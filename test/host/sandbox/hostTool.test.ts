import t from 'tap'
import { canForceBuffers } from '../../../src/host/sandbox/hostTool.js'

const whole = '         0          0 4294967295\n'
const status = (capabilities: string) => `CapPrm:\t000001ffffffffff\nCapEff:\t${capabilities}\nCapBnd:\t0\n`

t.test('large messages need CAP_NET_ADMIN in the first user namespace', async (t) => {
  t.ok(canForceBuffers(status('000001ffffffffff'), whole))
  t.ok(canForceBuffers(status('0000000000001000'), whole), 'CAP_NET_ADMIN alone')
  t.notOk(canForceBuffers(status('000001ffffffefff'), whole), 'every other capability')
  t.notOk(
    canForceBuffers(status('000001ffffffffff'), '         0       1000          1\n'),
    'another namespace',
  )
  t.notOk(canForceBuffers('', whole), 'an unknown file')
})
