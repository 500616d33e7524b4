import { spawnSync } from 'node:child_process'
import t from 'tap'
import { cannotRun } from './ability.js'

const lab = `
title: names
topology: { nodes: [node-a], clients: [client] }
steps:
  - name: Its name stands in /etc/hosts
    from: client
    command: [getent, hosts, vethlab-elsewhere]
    expect: { exitCode: 0, output: { contains: '127.0.1.1' } }
`

t.test(
  'a machine’s own name is known in a lab, though its /etc/hosts lacks it',
  { skip: cannotRun || (process.getuid?.() !== 0 && 'only root may name a machine') },
  async (t) => {
    const folder = t.testdir({ names: { 'lab.yaml': lab } })
    const renamed = ['sh', '-c', 'hostname vethlab-elsewhere && exec "$@"', 'sh']
    const run = [process.execPath, 'dist/cli.cjs', 'run', `${folder}/names`]
    const { status, stdout, stderr } = spawnSync('unshare', ['--uts', ...renamed, ...run], {
      encoding: 'utf8',
    })
    t.equal(status, 0, `${stdout}${stderr}`)
  },
)
