import * as z from 'zod'
import { modeNames } from '../../agents/kubeProxy/config.js'
import { loadBalancerSchema } from '../balancers/schema.js'
import { changeShape, settleSchema } from '../changes/schema.js'
import { kinds } from '../expectations/index.js'
import { ingressSchema } from '../ingress/schema.js'
import { limitsSchema } from './limitsSchema.js'
import { kubeProxyFieldsSchema } from './kubeProxySchema.js'
import { argument, lineSome, requestShape } from './requestSchema.js'
import { dnsLabel, dnsSchema, networkPoliciesSchema, topologySchema } from './topologySchema.js'

/** The actions of a step: each step has exactly one. */
const actionShape = { ...requestShape, ...changeShape }

const expectSchema = z
  .strictObject(
    Object.fromEntries(kinds.map((kind) => [kind.key, kind.schema.optional().describe(kind.description)])),
  )
  .refine((value) => Object.keys(value).length > 0, 'needs an expectation')

const versionSchema = z.string().regex(/^1\.\d{1,3}$/, 'is a minor version in quotes, such as "1.31"')

const versionsSchema = z
  .strictObject({
    from: versionSchema.optional().describe('The oldest version. Default: any.'),
    to: versionSchema.optional().describe('The latest version. Default: any.'),
  })
  .refine((range) => range.from !== undefined || range.to !== undefined, 'needs "from" or "to"')

/** One step of a lab file. */
export const stepSchema = z
  .strictObject({
    name: lineSome.describe('What the step shows, in a few words.'),
    from: lineSome
      .optional()
      .describe(
        'Where the action runs: a node, client or pod by name, or the first pod that a selector such as app=web@node-b matches. Default: the first client.',
      ),
    ...actionShape,
    settle: settleSchema
      .optional()
      .describe('Time that the lab has to settle after a change; false does not wait. Default: 30s.'),
    repeat: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe(
        'Number of times that the action runs, each time over a new connection; three timeouts end it, unless fails is expected. Default: 1.',
      ),
    modes: z
      .array(z.enum(modeNames))
      .min(1)
      .optional()
      .describe(
        'Modes of kube-proxy in which the step runs; in other modes it is reported as skipped. Not for load and stop. Default: all modes.',
      ),
    versions: versionsSchema
      .optional()
      .describe(
        'Versions of a kube-proxy binary with which the step runs; with others it is reported as skipped. Not for load and stop. Default: all versions.',
      ),
    expect: expectSchema
      .optional()
      .describe('What the step must show. Default: an answer; exit code 0 of a command.'),
  })
  .describe('One action and its expectations.')

const mutateSchema = z.strictObject({
  uncovered: z
    .array(
      z.strictObject({
        rules: lineSome.describe(
          'Rules as iptables-save prints them, with * as wildcard: CHAIN, `CHAIN spec` or `table CHAIN spec`.',
        ),
        nodes: z.array(lineSome).min(1).optional().describe('Nodes of the rules. Default: all nodes.'),
        why: lineSome.describe('Why no step fails without these rules.'),
      }),
    )
    .max(100)
    .optional()
    .describe('Rules of kube-proxy that no step of the lab covers. Default: none.'),
})

const proxySchema = z.strictObject({
  mode: z
    .enum(modeNames)
    .optional()
    .describe('The mode in which kube-proxy runs on every node. Default: iptables.'),
  modes: z
    .array(z.enum(modeNames))
    .min(1)
    .optional()
    .describe('The modes in which the steps pass. Default: all to which the expectations apply.'),
  versions: versionsSchema
    .optional()
    .describe('Versions of a kube-proxy binary that can run the lab. Default: all.'),
})

/** The whole of lab.yaml. */
export const labSchema = z
  .strictObject({
    title: lineSome.optional().describe('Title of the lab, one line. Default: the name of the folder.'),
    summary: z.string().optional().describe('What the lab shows, in a few sentences. Default: none.'),
    topology: topologySchema.optional().describe('Nodes, clients and address families.'),
    manifests: z
      .array(argument.min(1))
      .optional()
      .describe(
        'Kubernetes YAML: files and folders, relative to the folder of lab.yaml. Of a folder: its *.yaml, *.yml and *.json in order, without subfolders. Default: the folder manifests, if it exists.',
      ),
    namespace: dnsLabel
      .optional()
      .describe('Namespace of objects that name none, as in `kubectl apply --namespace`. Default: default.'),
    ignore: z
      .array(lineSome)
      .max(100)
      .optional()
      .describe('Kinds of objects that are skipped, or Kind.group, as with --ignore. Default: none.'),
    images: z
      .record(
        lineSome,
        z.union([
          z.literal('echo'),
          z
            .array(argument)
            .min(1)
            .refine(([program]) => program !== '', 'needs a command'),
        ]),
      )
      .optional()
      .describe(
        'What runs instead of images, which are not pulled: a command with its arguments, or echo for the built-in echo server. Keys are images without or with a tag; * is any text. Default: the `command` of a container if this host has it, otherwise the echo server.',
      ),
    kubeProxy: z
      .union([kubeProxyFieldsSchema, z.literal(false)])
      .optional()
      .describe(
        "Fields of KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1); false for nodes without a kube-proxy. Default: kube-proxy's own defaults, with the pod network as clusterCIDR.",
      ),
    rules: z
      .record(
        dnsLabel,
        z.strictObject({
          IPv4: argument.min(1).optional().describe('Output of iptables-save.'),
          IPv6: argument.min(1).optional().describe('Output of ip6tables-save.'),
        }),
      )
      .optional()
      .describe(
        'Saved rules with which nodes start, in place of all that vethlab writes there: by node, files relative to the folder of lab.yaml. With kubeProxy: false. Default: none.',
      ),
    proxy: proxySchema.optional().describe('The mode of kube-proxy.'),
    loadBalancer: loadBalancerSchema
      .optional()
      .describe('The load balancer for Services of type LoadBalancer.'),
    networkPolicies: networkPoliciesSchema
      .optional()
      .describe('How the cluster handles NetworkPolicies. Default: they are enforced.'),
    dns: dnsSchema.optional().describe('A DNS server in the cluster. Default: none.'),
    ingress: z
      .array(ingressSchema)
      .max(8)
      .optional()
      .describe('Controllers that serve Ingresses and Gateways. Default: none.'),
    kubeProxyBinary: argument
      .min(1)
      .optional()
      .describe('Path of a kube-proxy to run on every node; --kube-proxy overrides it. Default: none.'),
    limits: limitsSchema
      .optional()
      .describe(
        'Limits of everything that runs in the lab, if the host has control groups; without them they have no effect.',
      ),
    mutate: mutateSchema.optional().describe('Settings for `vethlab mutate`.'),
    steps: z.array(stepSchema).max(1000).optional().describe('The steps, in order. Default: none.'),
  })
  .describe('A vethlab lab: lab.yaml')

export type LabFile = z.infer<typeof labSchema>
export type StepFile = z.infer<typeof stepSchema>
/** Keys of a step that act. */
export const actionKeys = Object.keys(actionShape) as (keyof typeof actionShape)[]
