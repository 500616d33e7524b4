import {
  bool,
  embedding,
  int32,
  int64,
  intOrString,
  list,
  pointer,
  string,
  stringType,
  strings,
  struct,
} from './field.js'
import type { Schema } from './field.js'
import { resources, securityContext } from './podParts.js'
import { envFromSource, envVarSource, volumeDevice, volumeMount } from './volume.js'

const containerPort = struct(
  'ContainerPort',
  { name: string, hostPort: int32, containerPort: int32, protocol: stringType('Protocol'), hostIP: string },
  ['containerPort'],
)

const envVar = struct('EnvVar', { name: string, value: string, valueFrom: envVarSource }, ['name'])

const httpGet = struct(
  'HTTPGetAction',
  {
    path: string,
    port: intOrString,
    host: string,
    scheme: stringType('URIScheme'),
    httpHeaders: list(struct('HTTPHeader', { name: string, value: string }, ['name', 'value'])),
  },
  ['port'],
)

const hooks: Record<string, Schema> = {
  exec: struct('ExecAction', { command: strings }, ['command']),
  httpGet,
  tcpSocket: struct('TCPSocketAction', { port: intOrString, host: string }, ['port']),
}

const lifecycleHandler = struct('LifecycleHandler', {
  ...hooks,
  sleep: struct('SleepAction', { seconds: int64 }, ['seconds']),
})

const handlers: Record<string, Schema> = {
  ...hooks,
  grpc: struct('GRPCAction', { port: int32, service: pointer(string) }, ['port']),
}

const probe = embedding(
  struct('Probe', {
    ...handlers,
    initialDelaySeconds: int32,
    timeoutSeconds: int32,
    periodSeconds: int32,
    successThreshold: int32,
    failureThreshold: int32,
    terminationGracePeriodSeconds: pointer(int64),
  }),
  'ProbeHandler',
  Object.keys(handlers),
)

const fields: Record<string, Schema> = {
  name: string,
  image: string,
  command: strings,
  args: strings,
  workingDir: string,
  ports: list(containerPort),
  env: list(envVar),
  envFrom: list(envFromSource),
  volumeMounts: list(volumeMount),
  readinessProbe: probe,
  livenessProbe: probe,
  startupProbe: probe,
  lifecycle: struct('Lifecycle', {
    postStart: lifecycleHandler,
    preStop: lifecycleHandler,
    stopSignal: pointer(stringType('Signal')),
  }),
  restartPolicy: pointer(stringType('ContainerRestartPolicy')),
  terminationMessagePath: string,
  terminationMessagePolicy: stringType('TerminationMessagePolicy'),
  imagePullPolicy: stringType('PullPolicy'),
  stdin: bool,
  stdinOnce: bool,
  tty: bool,
  resources,
  securityContext,
  volumeDevices: list(volumeDevice),
  resizePolicy: list(
    struct(
      'ContainerResizePolicy',
      { resourceName: stringType('ResourceName'), restartPolicy: stringType('ResourceResizeRestartPolicy') },
      ['resourceName', 'restartPolicy'],
    ),
  ),
  restartPolicyRules: list(
    struct(
      'ContainerRestartRule',
      {
        action: stringType('ContainerRestartRuleAction'),
        exitCodes: struct(
          'ContainerRestartRuleOnExitCodes',
          { operator: stringType('ContainerRestartRuleOnExitCodesOperator'), values: list(int32) },
          ['operator'],
        ),
      },
      ['action'],
    ),
  ),
}

/** Container of core/v1. */
export const container = struct('Container', fields, ['name', 'image'])

/** EphemeralContainer of core/v1: a container with its target container. */
export const ephemeralContainer = struct('EphemeralContainer', { ...fields, targetContainerName: string }, [
  'name',
  'image',
])
