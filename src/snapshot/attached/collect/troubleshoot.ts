import { pasteScript } from './script.js'

/** Where the pod of a node keeps what it has collected. */
const output = '/output'

/**
 * A SupportBundle for Troubleshoot (troubleshoot.sh/v1beta2): the objects of the cluster, and the texts of each node, which it writes to
 * `vethlab/NODE.log`. A pod of a DaemonSet starts again when it ends, and Troubleshoot reads the log of its second start: the texts are
 * collected once, by an init container.
 */
export function troubleshootSpec(image: string): Readonly<Record<string, unknown>> {
  const container = (name: string, command: readonly string[], mounts: readonly object[]) => ({
    ...{ name, image, command, volumeMounts: mounts },
  })
  const kept = { name: 'output', mountPath: output }
  const host = { name: 'host', mountPath: '/host', readOnly: true }
  return {
    apiVersion: 'troubleshoot.sh/v1beta2',
    kind: 'SupportBundle',
    metadata: { name: 'vethlab' },
    spec: {
      collectors: [
        { clusterResources: {} },
        {
          runDaemonSet: {
            ...{ name: 'vethlab', timeout: '180s', skipRedaction: true },
            podSpec: {
              ...{ hostNetwork: true, hostPID: true, nodeSelector: { 'kubernetes.io/os': 'linux' } },
              tolerations: [{ operator: 'Exists' }],
              initContainers: [
                {
                  ...container(
                    'collect',
                    ['sh', '-c', `printf %s "$SCRIPT" | chroot /host sh -s >${output}/log`],
                    [kept, host],
                  ),
                  securityContext: { privileged: true },
                  env: [{ name: 'SCRIPT', value: pasteScript() }],
                },
              ],
              containers: [container('print', ['cat', `${output}/log`], [kept])],
              volumes: [
                { name: 'output', emptyDir: {} },
                { name: 'host', hostPath: { path: '/' } },
              ],
            },
          },
        },
      ],
    },
  }
}
