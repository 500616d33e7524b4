import { Command } from 'commander'
import type { WrittenConfiguration } from '../host/ingress/writtenConfigurations.js'
import { ingressConfigurations } from '../inspect/ingressConfigurations.js'
import { withUpLab } from '../up/upLab.js'
import { print } from './output.js'

const help = `
What is printed is what the proxies serve: one that they do not take is not kept. Certificates are left out, and so are keys.

Examples:
  $ sudo vethlab ingress ingress-classes
  $ sudo vethlab ingress ingress-classes ingress-nginx | less`

/** `vethlab ingress <lab> [controller]`: what the proxies of ingress controllers read. */
export function ingressCommand(): Command {
  return new Command('ingress')
    .summary('print the configurations of the proxies of a lab that is up')
    .description(
      'Prints what the ingress controllers of a lab that is up have written for their proxies: nginx.conf, haproxy.cfg, or the JSON of a command.',
    )
    .argument('<lab>', 'name of a lab that is up')
    .argument('[controller]', 'name of a controller, as in lab.yaml; all otherwise')
    .addHelpText('after', help)
    .action(async (name: string, controller: string | undefined) => {
      const found = await withUpLab(name, (lab) => ingressConfigurations(lab, controller))
      print(found.map(describe).join('\n'))
    })
}

function describe({ name, folder, files }: WrittenConfiguration): string {
  return [`# ${name}\n`, ...files.map((file) => `--- ${folder}/${file.name}\n${file.text}`)].join('')
}
