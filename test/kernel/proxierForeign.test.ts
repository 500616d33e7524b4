import t from 'tap'
import { manyServices } from '../../scripts/bench/services.js'
import { createProxier } from '../../src/host/proxier/liveModes.js'
import { cannotRun } from './ability.js'
import { kernelNode } from './proxierNode.js'

for (const backend of ['nft', 'legacy'] as const)
  t.test(
    `${backend}: rules that another program writes during a first sync are kept`,
    { skip: cannotRun },
    async (t) => {
      const node = await kernelNode(t, 'IPv4', backend)
      const from = manyServices(400, 2)
      const program = node.iptables.program('IPv4')
      const own = await node.expected(from)
      const written: string[] = []
      const append = async (table: string, chain: string) => {
        const mark = `foreign-${written.length}`
        const rule = ['-A', chain, '-m', 'comment', '--comment', mark, '-j', 'RETURN']
        const { exitCode, stderr } = await node.run([program, '-w', '60', '-t', table, ...rule])
        t.equal(exitCode, 0, stderr)
        written.push(`${table} ${mark}`)
      }
      await append('nat', 'PREROUTING')
      await append('filter', 'FORWARD')

      const proxier = createProxier({ node: 'node-a', family: 'IPv4', tables: node.tables, input: from })
      t.teardown(() => proxier.stop())
      let over = false
      const syncing = proxier.sync(from).finally(() => (over = true))
      while (!over) {
        await append('nat', 'OUTPUT')
        await append('filter', 'INPUT')
      }
      t.match(await syncing, { ok: true, kind: 'full' })
      t.ok(written.length > 2)

      const saved = await node.saved()
      const missing = written.filter((rule) => {
        const mark = rule.split(' ')[1] ?? ''
        return !saved.some((line) => new RegExp(`"?${mark}"? `).test(line))
      })
      t.same(missing, [], 'every rule of the other program')
      const rest = saved.filter((line) => !line.includes('foreign-'))
      t.same(rest, own, 'and those of kube-proxy')
    },
  )
