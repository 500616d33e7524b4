import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { cannotRun } from './ability.js'
import { copyOfExercise } from './exerciseCopy.js'

t.test(
  'a checkpoint is saved and restored, and steps of the solution are carried out',
  { skip: cannotRun },
  async (t) => {
    const copy = copyOfExercise(t, loadExercise('unexpected-sender').directory)
    const { name } = copy
    // the solution names the lab
    const file = join(copy.state, '../labs/exercises', name, 'exercise.yaml')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll('vethlab restart unexpected-sender', `vethlab restart ${name}`),
    )
    const run = async (command: string) => {
      const ended = await copy.type(`vethlab ${command}`)
      t.equal(ended.code, 0, command, ended)
      return ended.stdout
    }
    t.match(await copy.workshop('save'), { code: 2, stderr: /no exercise was started yet/ })
    await copy.workshop('start', name)
    t.match(await copy.workshop('restore'), {
      code: 2,
      stderr: /has no checkpoint; `vethlab workshop save` saves one/,
    })
    t.match(await copy.workshop('solve', '--to', '2'), { code: 2, stderr: /the solution has 1 steps/ })
    t.match(await copy.workshop('solve', '--to', 'x'), { code: 2, stderr: /must be the number of a step/ })
    t.match(await copy.workshop('solve', '--to', '1'), { code: 0, stdout: /1 of 1 steps/ })

    await run(`kubectl --built-in ${name} annotate service/shop seen=yes`)
    await run(`kubectl --built-in ${name} label node/node-a zone=left`)
    const inNode = (script: string) => run(`exec ${name} node-a -- sh -c '${script}'`)
    await inNode('iptables -N MINE; iptables -A MINE -j RETURN; iptables -I FORWARD 1 -j MINE')
    await inNode('ip route add 198.51.100.0/24 via 172.18.0.3; sysctl -qw net.ipv4.tcp_syncookies=0')
    const saved = await copy.workshop('save')
    t.match(saved, {
      code: 0,
      stdout: /rules, routes and network sysctls of node-a, node-b,\sclient\.\nNot saved: conntrack/,
    })

    t.comment('a reset loses it, a restore does not')
    t.match(await copy.workshop('reset'), { code: 0 })
    t.equal((await copy.workshop('check')).code, 1)
    const restored = await copy.workshop('restore')
    t.equal(restored.code, 0, restored.stdout + restored.stderr)
    for (const line of [
      'service/shop changed',
      'node/node-a changed',
      'kube-proxy on node-a restarted',
      'rules of node-a (IPv4)',
      'node-a: ip -4 route add 198.51.100.0/24 via 172.18.0.3 dev eth0',
      'node-a: sysctl -qw net.ipv4.tcp_syncookies=0',
    ])
      t.ok(restored.stdout.includes(`  ${line}\n`), line, restored)
    t.notMatch(restored.stdout, /node-b|deployment|namespace/, 'nothing else differed')
    t.equal((await copy.workshop('check')).code, 0)
    t.match(
      await inNode('iptables -S FORWARD; ip route; sysctl net.ipv4.tcp_syncookies'),
      /-j MINE[^]*198\.51\.100\.0\/24[^]*= 0\n/,
    )
    t.match(await run(`kubectl --built-in ${name} get service/shop -o yaml`), /seen: ["']?yes/)
  },
)
