import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { readPcapng } from '../packets/readPcapng.js'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { vethlab } from './servedCommands.js'

t.test('capture merges the packets of places, as text and as a file', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', path])).code, 0)
  const file = join(t.testdir(), 'live.pcapng')
  const filter = ['tcp', 'port', '80', 'or', 'port', '30080']
  const text = start(['capture', lab, 'all', ...filter])
  const written = start(['capture', lab, 'node-a,client', '-w', file, '-c', '6', ...filter])
  const all = start(['capture', lab, 'node-a,node-b,app=my-app', '--all-interfaces', ...filter])
  const whole = join(t.testdir(), 'whole.pcapng')
  const commented = start(['capture', lab, 'all', '-w', whole, ...filter])
  t.teardown(() => [text, written, all, commented].forEach((one) => one.kill('SIGKILL')))
  await Promise.all([text, written, all, commented].map((one) => one.says('Capturing on ')))
  const call = ['exec', lab, 'client', '--', 'curl', '-s', '--max-time', '60', 'http://172.18.0.2:30080/']
  t.equal((await vethlab(call)).code, 0)

  t.match(await written.ended, { code: 0 }, 'it ends after six packets')
  const { interfaces, packets } = readPcapng(readFileSync(file))
  t.equal(packets.length, 6)
  const links = packets.map((packet) => interfaces[packet.interface]?.name)
  t.strictSame(links.slice(0, 2), ['client:eth0', 'node-a:eth0'], 'the SYN leaves the client first')
  t.notOk(links.includes('node-a:cni0'))

  await text.says('Flags [F.]')
  text.kill('SIGINT')
  const { code, stdout } = await text.ended
  t.equal(code, 130)
  const syns = stdout.split('\n').filter((line) => line.includes('Flags [S]'))
  t.match(
    syns[0],
    /^\d\d:\d\d:\d\d\.\d{6} {2}client {2}eth0 +Out IP 172\.18\.1\.2\.\d+ > 172\.18\.0\.2\.30080: /,
  )
  t.match(syns.at(-1), /^\S+ {2}my-app-\S+ {2}eth0 +In +IP \S+ > 10\.244\.\d\.2\.80: /)
  t.notMatch(stdout, 'cni0')

  await all.says('cni0')
  t.equal((await vethlab(['down', lab])).code, 0)
  t.equal((await all.ended).code, 0, 'it ends with the lab')

  t.equal((await commented.ended).code, 0)
  const comments = readPcapng(readFileSync(whole)).packets.map(({ comment }) => comment ?? '')
  const [syn] = comments
  t.match(
    syn,
    /^connection 1: DNAT on node-a 172\.18\.0\.2:30080 -> 10\.244\.\d\.2:80, SNAT on node-a \S+ -> \S+, answered$/,
  )
  t.ok(comments.length > 20, `${comments.length} packets`)
  t.ok(
    comments.every((comment) => comment === syn),
    'the packets of the one connection, before and after NAT',
  )
})

t.test('what cannot be captured is an error', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', path])).code, 0)
  t.match(await vethlab(['capture', lab, 'client', 'tcp prot 80']), {
    code: 2,
    stderr: /"tcp prot 80" is not a filter: /,
  })
  t.match(await vethlab(['capture', lab, 'node-z']), {
    code: 2,
    stderr: /no node, client or pod named "node-z"/,
  })
  const nowhere = await vethlab(['capture', lab, 'client', '-w', '/dev/null/x'])
  t.match(nowhere, { code: 3, stderr: /cannot write the captures to \/dev\/null\/x/ })
})
