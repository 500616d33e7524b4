import { Command } from 'commander'
import { version } from '../../version.js'

const instructions =
  'vethlab predicts and explains Kubernetes Service networking (kube-proxy rules, routes, NAT, conntrack, NetworkPolicies), of support ' +
  'bundles of real clusters and of labs: network namespaces with the same rules. Begin with check for a bundle, with labs for labs. Answers ' +
  'say what is not known; do not assume more than they say.'

const help = `
For assistants that speak the Model Context Protocol: this is their server, on standard input and output. Tools: labs, check, why, trace,
reach, request and explain; with --write also up, down, reset, apply and those of exercises.

The configuration of a client:
  { "mcpServers": { "vethlab": { "command": "vethlab", "args": ["mcp"] } } }

Example:
  $ npx @modelcontextprotocol/inspector vethlab mcp --write`

/** `vethlab mcp`. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'It answers about bundles of real clusters, about labs and their plans. It changes nothing without --write.',
    )
    .option('--write', 'also offer the tools that start, change and remove labs')
    .addHelpText('after', help)
    .action(async ({ write }: { write?: true }) => {
      const [{ serveTools }, { mcpTools }] = await Promise.all([
        import('../../host/mcp/serveTools.js'),
        import('./tools.js'),
      ])
      await serveTools({ version: version(), instructions, tools: mcpTools(write === true) })
    })
}
