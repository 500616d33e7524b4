import { Command } from 'commander'
import t from 'tap'
import { needsKubectl, outputOption, type OutputFormat } from '../../../src/commands/kubectl/outputFormat.js'

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

t.test('the error about a template names what installs kubectl', async (t) => {
  t.match(
    needsKubectl({ template: 'jsonpath={.items[*].spec}' }).message,
    /^the built-in kubectl has no output format jsonpath; .*kubernetes-client/,
  )
})
