import { Command } from 'commander'
import { didYouMean } from '../text/nearestName.js'
import { InputError } from '../errors.js'
import { writtenConfigurations, type WrittenConfiguration } from '../host/ingress/writtenConfigurations.js'
import { joinSandbox } from '../host/sandbox/sandbox.js'
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
      const written = await withUpLab(name, ({ lab, pid, rootless }) => {
        const configurations = writtenConfigurations(joinSandbox(pid, rootless))
        if (configurations.length > 0) return configurations
        throw new InputError([{ message: `the lab "${lab}" has no ingress controller` }])
      })
      print(chosen(written, controller).map(describe).join('\n'))
    })
}

function chosen(
  written: readonly WrittenConfiguration[],
  controller: string | undefined,
): WrittenConfiguration[] {
  const found = written.filter(({ name }) => controller === undefined || name === controller)
  if (found.length > 0) return found
  const names = written.map(({ name }) => name)
  const hint = didYouMean(controller ?? '', names) ?? `controllers are: ${names.join(', ')}`
  throw new InputError([{ message: `there is no ingress controller "${controller}"`, hint }])
}

function describe({ name, folder, files }: WrittenConfiguration): string {
  return [`# ${name}\n`, ...files.map((file) => `--- ${folder}/${file.name}\n${file.text}`)].join('')
}
