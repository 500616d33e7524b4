import t from 'tap'
import { canPace } from '../../../src/host/load/startSender.js'

t.test('a curl paces its requests from 7.84 on', async (t) => {
  const line = (version: string) => `curl ${version} (x86_64-pc-linux-gnu) libcurl/7.83.0\nRelease-Date: 2022`
  for (const version of ['7.84.0', '7.88.1', '7.100.0', '8.5.0', '10.0.0'])
    t.equal(canPace(line(version)), true, version)
  for (const version of ['7.83.1', '7.81.0', '7.9.8', '6.90.0'])
    t.equal(canPace(line(version)), false, version)
  t.equal(canPace('sh: curl: not found'), false, 'none')
})
