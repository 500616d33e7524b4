/** A file of a new lab, by its path in the lab's folder. */
export interface StarterFile {
  readonly path: string
  readonly text: string
}

/** A small lab that runs as it is: one Deployment, one NodePort Service, three steps. */
export const starterLab: readonly StarterFile[] = [
  { path: 'lab.yaml', text: labYaml() },
  { path: 'manifests/app.yaml', text: appYaml() },
  { path: 'README.md', text: readme() },
]

function labYaml(): string {
  return `# A lab: what is built, what is tried in it, and what is expected of that.
# \`vethlab list\` names labs to borrow from; docs/lab-reference.md of vethlab has every field.
title: A lab of one's own
summary: One application behind a NodePort Service, called from outside and from inside the cluster.

topology:
  # Each node and each client is a network namespace; each node gets the rules that kube-proxy would write there.
  nodes: [node-a, node-b]
  clients: [client]

# The Kubernetes objects are those in manifests/, as you would give them to kubectl.

steps:
  - name: From outside, through a node's port
    from: client
    # A name in braces stands for the address of a node, a pod, a client or a Service.
    curl: http://{node-b}:30080/
    expect:
      status: 200
      servedBy: { service: hello }
      # The packets must show that node-b rewrote its own address and port to those of a pod.
      dnat: { to: hello, port: 80, at: node-b }

  - name: Both pods get a share
    from: client
    curl: http://{node-a}:30080/
    repeat: 100
    expect:
      share: { service: hello }

  - name: From a pod, through the cluster address
    # A pod of a Deployment has a generated name: choose it by label and node.
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

function readme(): string {
  return `# A lab of one's own

    sudo vethlab run .          build it, check it, remove it
    sudo vethlab up .           leave it up, to look around with \`vethlab exec\` and \`vethlab shell\`
    vethlab plan .              see what would be built, without building it

\`lab.yaml\` says what is built and expected, \`manifests/\` holds the Kubernetes objects.

Things to try: set \`externalTrafficPolicy: Local\` and \`replicas: 1\` and see which node still answers; change the
Service's selector so that it matches no pod and read what the failed checks say.
`
}
