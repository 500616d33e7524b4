import type { Colours } from '../text/colour.js'
import type { ServiceView } from '../results/events.js'
import { formatSocket } from './hops.js'
import type { PictureTexts } from './pictureTexts.js'
import { printable } from '../text/printable.js'
import { wrap } from '../text/textWidth.js'

/** Of more Services, and more endpoints of one Service, only the number is shown. */
const SERVICES_SHOWN = 4
const ENDPOINTS_SHOWN = 4

/** Two lines for each Service: its addresses and ports, and its ready endpoints. */
export function serviceLines(
  services: readonly ServiceView[],
  width: number,
  colours: Colours,
  texts: PictureTexts,
): string[] {
  const shown = services.slice(0, SERVICES_SHOWN)
  const lines = shown.flatMap((service) => [
    ...wrap(frontendOf(service, colours, texts), width - 2, '  ', '    ').map((line) => `  ${line}`),
    ...wrap(endpointsOf(service, texts), width - 6).map(
      (line, index) => (index === 0 ? '    → ' : '      ') + line,
    ),
  ])
  const more = services.length - shown.length
  return more > 0 ? [...lines, colours.dim(`  ${texts.moreServices(more)}`)] : lines
}

function frontendOf(service: ServiceView, colours: Colours, texts: PictureTexts): string[] {
  const name = printable(
    service.namespace === 'default' ? service.name : `${service.namespace}/${service.name}`,
  )
  const [only, ...others] = service.ports
  const single = only !== undefined && others.length === 0 && service.clusterIPs.length === 1
  return [
    `${texts.service} ${colours.name(name)}`,
    printable(service.type),
    ...service.clusterIPs.map((ip) =>
      formatSocket(single ? { address: ip, port: only.port } : { address: ip }),
    ),
    ...service.ports.map((port) => portPhrase(port, single, texts)),
    ...(service.externalIPs.length === 0
      ? []
      : [
          `${texts.external} ${service.externalIPs.map((ip) => externalPhrase(ip, service, texts)).join(', ')}`,
        ]),
  ].filter((part) => part !== '')
}

function externalPhrase(ip: string, { announcedBy = [] }: ServiceView, texts: PictureTexts): string {
  const by = announcedBy.find(({ address }) => address === ip)
  return printable(by === undefined ? ip : texts.at(ip, by.node))
}

function portPhrase(port: ServiceView['ports'][number], single: boolean, texts: PictureTexts): string {
  const words = [
    ...(single ? [] : [`${texts.port} ${port.port}`]),
    ...(port.protocol === 'TCP' ? [] : [port.protocol]),
    ...(port.targetPort === port.port ? [] : [`targetPort ${port.targetPort}`]),
    ...(port.nodePort === undefined ? [] : [`nodePort ${port.nodePort}`]),
  ]
  return printable(words.join(' '))
}

function endpointsOf(service: ServiceView, texts: PictureTexts): string[] {
  if (service.endpoints.length === 0) return service.type === 'ExternalName' ? [] : [texts.noEndpoints]
  const shown = service.endpoints.slice(0, ENDPOINTS_SHOWN).map(printable)
  const more = service.endpoints.length - shown.length
  return more > 0 ? [...shown, texts.more(more)] : shown
}
