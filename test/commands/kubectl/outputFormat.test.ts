import { Command } from 'commander'
import t from 'tap'
import { needsKubectl, outputOption, type OutputFormat } from '../../../src/commands/kubectl/outputFormat.js'
import type { UpLab } from '../../../src/up/upLab.js'

function parsed(...args: string[]): OutputFormat | undefined {
  const command = new Command('get')
    .addOption(outputOption())
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  return command.parse(args, { from: 'user' }).opts<{ output?: OutputFormat }>().output
}

t.test('formats of vethlab, and those that only kubectl prints', async (t) => {
  t.equal(parsed(), undefined)
  for (const format of ['wide', 'yaml', 'json', 'name']) t.equal(parsed('-o', format), format)
  for (const template of ['jsonpath={.items[0]}', 'custom-columns=A:.kind', 'go-template-file=x', 'jsonpath'])
    t.strictSame(parsed(`-o${template}`), { template })
  t.strictSame(parsed('--output=jsonpath={.a}'), { template: 'jsonpath={.a}' })
})

t.test('an unknown format names the nearest one', async (t) => {
  t.throws(() => parsed('-o', 'jsonpth={.a}'), {
    message: /wide, yaml, json, name\. Did you mean "jsonpath"\?/,
  })
  t.throws(() => parsed('-o', 'table'), {
    message: /'table' is invalid\. Allowed choices are wide, yaml, json, name\.$/,
  })
})

t.test('the hint of a template is the command that runs kubectl in the lab', async (t) => {
  const lab = { lab: 'nodeport', view: { nodes: [{ name: 'node-a' }] } } as unknown as UpLab
  const message = (query: Parameters<typeof needsKubectl>[2]) =>
    needsKubectl({ template: 'jsonpath={.items[*].spec}' }, lab, query).message
  t.match(
    message({ kinds: 'pods', names: [], namespace: 'default' }),
    "`vethlab exec nodeport node-a -- kubectl get pods -o 'jsonpath={.items[*].spec}'`",
  )
  t.match(
    message({ kinds: 'pods', names: ['a'], namespace: 'shop', selector: 'app=web' }),
    'kubectl get pods a -n shop -l app=web -o ',
  )
  t.match(
    message({ kinds: 'svc', names: [], namespace: 'shop', allNamespaces: true }),
    'kubectl get svc -A -o ',
  )
})
