import type { Test } from 'tap'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { chooseIptables, type Iptables } from '../../src/host/backend.js'
import type { IptablesBackend } from '../../src/netfilter/types.js'
import { nodeTables, type NodeTables } from '../../src/host/proxier/nodeTables.js'
import type { Sandbox } from '../../src/host/sandbox/sandbox.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { canonicalLines } from '../netfilter/canonicalLines.js'
import { parseSave } from '../../src/netfilter/save.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { renderFullRestore } from '../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'

/** A network namespace with what a Proxier writes to, and what it wrote. */
export interface KernelNode {
  readonly sandbox: Sandbox
  readonly iptables: Iptables
  readonly tables: NodeTables
  readonly netns: string
  /** Every text that iptables-restore was fed, in order. */
  readonly fed: string[]
  /** The rules that stand, in the form in which they are compared. */
  saved(): Promise<string[]>
  /** The rules that a full sync leaves in an empty namespace. */
  expected(input: ProxyInput): Promise<string[]>
  run(argv: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>
}

/** Makes a node of one family and backend in a sandbox of its own, which ends with the test. */
export async function kernelNode(t: Test, family: IpFamily, backend?: IptablesBackend): Promise<KernelNode> {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  const iptables = await chooseIptables(sandbox, backend)
  const netns = 'node-a'
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
  await sandbox.must('loopback', ['ip', 'link', 'set', 'lo', 'up'], { netns })
  const real = nodeTables(sandbox, iptables, netns, family)
  const fed: string[] = []
  const linesOf = (text: string) => canonicalLines(parseSave(text))
  return {
    sandbox,
    iptables,
    netns,
    fed,
    tables: {
      ...real,
      restore: (text) => {
        fed.push(text)
        return real.restore(text)
      },
    },
    saved: async () => linesOf(await real.save()),
    async expected(input) {
      const empty = nodeTables(sandbox, iptables, 'empty', family)
      await sandbox.must('making a namespace', ['ip', 'netns', 'add', 'empty'])
      const ruleset = buildRuleset(input, family)
      await empty.makeCounters(ruleset.nfacctCounters)
      const error = await empty.restore(renderFullRestore(ruleset))
      if (error !== undefined) throw new Error(error)
      const saved = await empty.save()
      await sandbox.must('removing it', ['ip', 'netns', 'del', 'empty'])
      return linesOf(saved)
    },
    run: (argv) => sandbox.run(argv, { netns }),
  }
}
