import { schemaAddress } from '../lab/file/schemaAddress.js'

/** A file of a new lab, by its path in the lab's folder. */
export interface StarterFile {
  readonly path: string
  readonly text: string
}

/**
 * A small lab that runs as it is: one Deployment, one NodePort Service, three steps. `call` is the command with which the
 * user calls vethlab.
 */
export function starterLab(call: string): readonly StarterFile[] {
  return [
    { path: 'lab.yaml', text: labYaml() },
    { path: 'manifests/app.yaml', text: appYaml() },
    { path: 'README.md', text: readme(call) },
  ]
}

function labYaml(): string {
  return `# yaml-language-server: $schema=${schemaAddress('lab.schema.json')}
# A lab: its topology, the requests that are sent in it, and the expected results.
# \`vethlab list\` names labs to borrow from; docs/lab-reference.md of vethlab has every field.
title: My lab
summary: One application behind a NodePort Service, called from outside and from inside the cluster.

topology:
  # Each node and each client is a network namespace; each node has the rules that kube-proxy writes there.
  nodes: [node-a, node-b]
  clients: [client]

# The Kubernetes objects are in manifests/, as you would apply them with kubectl.

steps:
  - name: From outside, through a node port
    from: client
    # A name in braces is replaced by the address of a node, a pod, a client or a Service.
    curl: http://{node-b}:30080/
    expect:
      status: 200
      servedBy: { service: hello }
      # The captured packets must show that node-b rewrote its own address and port to those of a pod.
      dnat: { to: hello, port: 80, at: node-b }

  - name: Both pods get a share of the requests
    from: client
    curl: http://{node-a}:30080/
    repeat: 100
    expect:
      share: { service: hello }

  - name: From a pod, through the cluster IP
    # A pod of a Deployment has a generated name: select it by label and node.
    from: app=hello@node-a
    curl: http://{hello}/
    expect:
      status: 200
      servedBy: { service: hello }
`
}

function appYaml(): string {
  return `# No image is pulled: a container without a command is an echo server that answers with its pod's name.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: hello
spec:
  replicas: 2
  selector:
    matchLabels:
      app: hello
  template:
    metadata:
      labels:
        app: hello
    spec:
      containers:
        - name: web
          image: nginx
          ports:
            - containerPort: 80
---
apiVersion: v1
kind: Service
metadata:
  name: hello
spec:
  type: NodePort
  selector:
    app: hello
  ports:
    - port: 80
      targetPort: 80
      nodePort: 30080
`
}

function readme(call: string): string {
  const alias =
    call === 'vethlab'
      ? ''
      : `In a root shell (\`sudo -s\`):\n\n    alias vethlab="${call}"\n\nIn this folder:\n\n`
  return `# My lab

${alias}    vethlab run .     build it, check it, remove it
    vethlab up .      keep it running, and look around with \`exec\` and \`shell\`
    vethlab plan .    print what would be built, without building it

\`lab.yaml\` describes the topology, the steps and the expected results; \`manifests/\` has the Kubernetes objects.

Things to try: set \`externalTrafficPolicy: Local\` and \`replicas: 1\`, and see which node still answers. Change the
Service's selector so that it matches no pod, and read why the steps fail.
`
}
