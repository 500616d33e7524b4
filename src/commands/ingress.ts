import { Command } from 'commander'
import type { WrittenConfiguration } from '../host/ingress/writtenConfigurations.js'
import { ingressConfigurations } from '../inspect/ingressConfigurations.js'
import { withUpLab } from '../up/upLab.js'
import { print } from './output.js'

const help = `
The output is the configuration that the proxies serve; one that a proxy rejects is not kept. Certificates and keys are
left out.

Examples:
  $ sudo vethlab ingress ingress-classes
  $ sudo vethlab ingress ingress-classes ingress-nginx | less`

/** `vethlab ingress <lab> [controller]`: prints the configurations of the proxies of ingress controllers. */
export function ingressCommand(): Command {
  return new Command('ingress')
    .description('The configuration is nginx.conf, haproxy.cfg, or the JSON document of a custom command.')
    .argument('<lab>', 'name of a running lab')
    .argument('[controller]', 'name of a controller in lab.yaml (default: all)')
    .addHelpText('after', help)
    .action(async (name: string, controller: string | undefined) => {
      const found = await withUpLab(name, (lab) => ingressConfigurations(lab, controller))
      print(found.map(describe).join('\n'))
    })
}

function describe({ name, folder, files }: WrittenConfiguration): string {
  return [`# ${name}\n`, ...files.map((file) => `--- ${folder}/${file.name}\n${file.text}`)].join('')
}
