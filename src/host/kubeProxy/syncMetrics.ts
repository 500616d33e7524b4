import type { Sandbox } from '../sandbox/sandbox.js'

/** What the metrics of a kube-proxy show about its syncs. */
export interface SyncMetrics {
  /** Number of completed syncs, of all families. */
  readonly count: number
  /**
   * By IP family, or '' for both in versions without this label: when a sync was requested last and when the last successful
   * one ended, in seconds of the epoch; 0 for never.
   */
  readonly families: ReadonlyMap<string, { readonly queued: number; readonly synced: number }>
}

/** Reads the metrics of a kube-proxy; undefined without metrics. */
export async function readSyncMetrics(
  sandbox: Sandbox,
  netns: string,
  url: string | undefined,
): Promise<SyncMetrics | undefined> {
  if (url === undefined) return undefined
  const { status, body } = await getInside(sandbox, netns, url)
  return status === 200 ? parseSyncMetrics(body) : undefined
}

/** Parses the text of `/metrics`; undefined if it has no syncs. */
export function parseSyncMetrics(text: string): SyncMetrics | undefined {
  // observed at the end of a sync, after it has deleted conntrack entries
  const counts = series(text, 'sync_proxy_rules_duration_seconds_count')
  if (counts.length === 0) return undefined
  const queued = series(text, 'sync_proxy_rules_last_queued_timestamp_seconds')
  const synced = series(text, 'sync_proxy_rules_last_timestamp_seconds')
  const of = (family: string, found: ReturnType<typeof series>) =>
    found.find((one) => one.family === family)?.value ?? 0
  const families = new Set([...queued, ...synced].map(({ family }) => family))
  return {
    count: counts.reduce((sum, { value }) => sum + value, 0),
    families: new Map(
      [...families].map((family) => [family, { queued: of(family, queued), synced: of(family, synced) }]),
    ),
  }
}

function series(text: string, name: string): { readonly family: string; readonly value: number }[] {
  const lines = text.matchAll(new RegExp(`^kubeproxy_${name}(\\{[^}]*\\})? (\\S+)`, 'gm'))
  return [...lines].map(([, labels = '', value]) => ({
    family: /ip_family="([^"]*)"/.exec(labels)?.[1] ?? '',
    value: Number(value),
  }))
}

/** An HTTP request from inside a namespace; status 0: no answer. */
export async function getInside(
  sandbox: Sandbox,
  netns: string,
  url: string,
): Promise<{ status: number; body: string }> {
  const quietly = ['--silent', '--globoff', '--noproxy', '*', '--max-time', '5']
  const argv = ['curl', ...quietly, '-w', '\n%{http_code}', url]
  const { stdout } = await sandbox.run(argv, { netns })
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end + 1) }
}
