import t from 'tap'
import { CannotRunError } from '../../../src/errors.js'
import { findTool } from '../../../src/host/environment.js'
import { requirePolicies } from '../../../src/host/requirements/requirePolicies.js'
import type { Sandbox } from '../../../src/host/sandbox/sandbox.js'

/** A sandbox without modprobe in which commands with a word fail; `asked` are those that ran. */
function sandboxWithout(word: string) {
  const asked: string[] = []
  const answer = (argv: readonly string[]) => {
    const command = argv.join(' ')
    asked.push(command)
    return { exitCode: command.includes(word) ? 1 : 0, stdout: '', stderr: '' }
  }
  const sandbox = {
    rootless: true,
    run: (argv: readonly string[]) => Promise.resolve(answer(argv)),
    must: (_what: string, argv: readonly string[]) => Promise.resolve(answer(argv)),
  } as unknown as Sandbox
  return { sandbox, asked }
}

const skip = ['nft', 'ipset'].some((tool) => findTool(tool) === undefined) && 'needs nft and ipset'

t.test('a table of nftables needs neither ipset nor iptables', { skip }, async (t) => {
  const { sandbox, asked } = sandboxWithout('ipset')
  await requirePolicies(sandbox, true)
  t.ok(asked.some((command) => command.startsWith('nft add map ')))
  t.same(
    asked.filter((command) => /^ip6?(set|tables)/.test(command)),
    [],
  )
  await t.rejects(requirePolicies(sandbox, false), { message: /missing: kernel modules ip_set, / })
})

t.test('what the kernel does not have is named, with the fix', { skip }, async (t) => {
  const { sandbox } = sandboxWithout(' log group ')
  const error = await requirePolicies(sandbox, true).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  t.ok(error instanceof CannotRunError)
  t.match(error, {
    message:
      'NetworkPolicies cannot be enforced on this host; missing: kernel modules nft_limit, nft_log, nfnetlink_log',
  })
})
