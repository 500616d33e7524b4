import { Command, InvalidArgumentError } from 'commander'
import { exitCode } from '../../errors.js'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import { startForward } from '../../host/forward/startForward.js'
import { namesOf } from '../../names/names.js'
import { placeOf } from '../../names/placeOf.js'
import { isAddress, joinHostPort, socketText } from '../../net/socketText.js'
import { forwardTarget, parsePair } from '../../up/forwardTarget.js'
import { goneMessage } from '../../up/order.js'
import { withUpLab } from '../../up/upLab.js'
import { endOnSignals } from '../endOnSignals.js'
import { print, printError } from '../output.js'

interface ForwardFlags {
  readonly address: string
  readonly from?: string
  readonly namespace?: string
}

const help = `
Ctrl-C ends it. TARGET is a Service, pod, node or client: service/web:80, pod/web-0:80, node/node-a:30080. A port of a
Service can be its name. In another namespace: service/shop/web:80, web.shop:80 as in DNS, or -n shop.
\`:TARGET\` listens on a free port, TARGET alone on the port of the target.
Connections start on a node, in its network namespace: the rules of kube-proxy apply to them as to processes of that
node, and servers see an address of the node.

Examples:
  $ vethlab forward ingress 8080:service/ingress-nginx-controller:80
  $ curl --resolve web.example.com:8080:127.0.0.1 http://web.example.com:8080/
  $ vethlab forward nodeport 8080:service/my-nodeport-service:80 8081:node/node-b:30080`

/** `vethlab forward <lab> 8080:service/web:80`. */
export function forwardCommand(): Command {
  return new Command('forward')
    .description('For browsers and tools of the host. Only TCP connections are forwarded.')
    .argument('<lab>', 'name of a running lab')
    .argument('<pairs...>', 'port of the host and target: 8080:service/web:80')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace of the pods and Services')
    .option('--address <address>', 'address of the host to listen on', readAddress, '127.0.0.1')
    .option('--from <node>', 'node on which connections start (default: the first one)')
    .addHelpText('after', help)
    .action(forward)
}

async function forward(lab: string, pairs: string[], flags: ForwardFlags): Promise<void> {
  const { address, from, namespace } = flags
  const wanted = pairs.map(parsePair)
  const code = await withUpLab(lab, async (up) => {
    const reference = from ?? up.view.nodes[0]?.name ?? up.view.clients[0]?.name ?? ''
    const { name, netns } = placeOf(namesOf(up.view), up.places, reference)
    const forwards = wanted.map((pair) => ({ ...pair, target: forwardTarget(up.view, pair, namespace) }))
    const running = await startForward(joinSandbox(up.pid, up.rootless), {
      ...{ netns, address, forwards },
      onFailure: ({ failed, message }) => printError(`connection to ${failed}: ${message}\n`),
    })
    // a signal before this ends the process, and with it what it has started
    const controller = new AbortController()
    const interrupted = endOnSignals(controller)
    controller.signal.addEventListener('abort', () => running.stop())
    for (const [index, { target }] of forwards.entries()) {
      const local = joinHostPort(address, running.ports[index] ?? 0)
      print(`Forwarding ${local} -> ${target.name} (${socketText(target)} from ${name})\n`)
    }
    await running.ended
    interrupted.forget()
    return interrupted.code
  })
  if (code === undefined) {
    printError(`${goneMessage(lab)}\n`)
    process.exitCode = exitCode.invalidInput
  }
}

function readAddress(text: string): string {
  if (text === 'localhost') return '127.0.0.1'
  if (!isAddress(text)) throw new InvalidArgumentError('It must be an IPv4 or IPv6 address, such as ::1.')
  return text
}
