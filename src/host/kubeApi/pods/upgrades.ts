import { parseRoute } from '../../../apiserver/route.js'
import { noSuchPath, readOnly } from '../../../apiserver/status.js'
import { authorize } from '../../../apiserver/authorize.js'
import { parseTarget } from '../target.js'
import type { Serving } from '../serving.js'
import { serveCommand } from './exec.js'
import { servePortForward } from './portForward.js'
import type { Upgrade } from './transport.js'

/** Answers a request to upgrade: `exec`, `attach` and `portforward` of pods. Throws a StatusError, before anything was sent. */
export function acceptUpgrade(serving: Serving, upgraded: Upgrade): void {
  const { url = '/', headers } = upgraded.request
  const { path, query } = parseTarget(url)
  const route = parseRoute(path)
  if (route.to !== 'resource' || route.subresource === undefined) throw noSuchPath()
  if (serving.writer === undefined) throw readOnly('upgrade', route.resource)
  authorize(
    headers.authorization,
    { ...serving, token: serving.writer.token },
    { method: 'POST', path, route, watch: false },
  )
  switch (route.subresource) {
    case 'exec':
    case 'attach':
      serveCommand(serving, upgraded, route, query)
      return
    case 'portforward':
      servePortForward(serving, upgraded, route)
      return
    default:
      throw noSuchPath()
  }
}
