import { Command } from 'commander'
import type { WrittenConfiguration } from '../host/ingress/writtenConfigurations.js'
import { InputError } from '../errors.js'
import { describeObjects } from '../inspect/describeObjects.js'
import { ingressConfigurations } from '../inspect/ingressConfigurations.js'
import { wantedObjects } from '../inspect/wantedObjects.js'
import { withUpLab } from '../up/upLab.js'
import { print } from './output.js'

const help = `
A configuration is nginx.conf, haproxy.cfg, or the JSON document of a custom command: the one that the proxy serves; one that
it rejects is not kept. Certificates and keys are left out.

Examples:
  $ vethlab ingress ingress ingress/pings
  $ vethlab ingress gateway httproute/games -n games
  $ vethlab ingress ingress-classes ingress-nginx | less`

interface IngressFlags {
  readonly namespace: string
}

/** `vethlab ingress <lab> [what]`: explains an object, or prints the configurations of the proxies of controllers. */
export function ingressCommand(): Command {
  return new Command('ingress')
    .description(
      'An object is explained rule by rule: its backends, the effective configuration, what is not served and what to change.',
    )
    .argument('<lab>', 'name of a running lab')
    .argument(
      '[what]',
      'KIND/NAME of an Ingress, Gateway or route; or a controller (default: all controllers)',
    )
    .option('-n, --namespace <namespace>', 'Kubernetes namespace of the object', 'default')
    .addHelpText('after', help)
    .action(async (name: string, what: string | undefined, { namespace }: IngressFlags) => {
      if (what?.includes('/') === true) {
        requireRoutingKind(what)
        print((await withUpLab(name, (lab) => describeObjects(lab, what, [], namespace))).join('\n\n'))
        return
      }
      const found = await withUpLab(name, (lab) => ingressConfigurations(lab, what))
      print(found.map(describe).join('\n'))
    })
}

/** The API groups of the objects that controllers serve. */
const groups = ['networking.k8s.io', 'gateway.networking.k8s.io']

/** Throws InputError for a kind that no controller of a lab reads. */
function requireRoutingKind(object: string): void {
  const [wanted] = wantedObjects([object], [])
  if (wanted === undefined || groups.includes(wanted.resource.group)) return
  const message = `no ingress controller reads a ${wanted.resource.kind}`
  throw new InputError([{ message, hint: '`vethlab kubectl LAB describe` shows other objects' }])
}

function describe({ name, folder, files }: WrittenConfiguration): string {
  return [`# ${name}\n`, ...files.map((file) => `--- ${folder}/${file.name}\n${file.text}`)].join('')
}
