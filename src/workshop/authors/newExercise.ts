import { schemaAddress } from '../../lab/file/schemaAddress.js'

/** A file of a new exercise, by its path in the folder of the exercise. */
export interface NewFile {
  readonly path: string
  readonly text: string
}

/** An exercise that passes `vethlab workshop test` as it is: a rule in the table raw drops packets to a node port. */
export function newExercise(name: string): readonly NewFile[] {
  return [
    { path: 'exercise.yaml', text: english(name) },
    { path: 'exercise.ko.yaml', text: korean(name) },
    { path: 'lab.yaml', text: labYaml() },
    { path: 'manifests/shop.yaml', text: shopYaml() },
  ]
}

function english(name: string): string {
  return `# yaml-language-server: $schema=${schemaAddress('exercise.schema.json')}
title: A node port is silent
level: 2
minutes: 10
prerequisites: [nobody-home]
task: |
  Port 30080 of node-a has not answered since this morning:

    vethlab exec ${name} client -- curl -m 1 http://172.18.0.2:30080/

  Make sure that the client gets an answer there. The Service is correct: do not change it.
faults:
  - name: a DROP rule in table raw
    from: node-a
    command: [iptables, -t, raw, -I, PREROUTING, -p, tcp, --dport, '30080', -j, DROP]
checks:
  - name: node-port
    says: The client gets no answer from port 30080 of node-a.
    from: client
    curl: http://{node-a}:30080/
    expect: { status: 200 }
  - name: service
    guard: true
    says: The Service no longer has the node port 30080, which others rely on.
    wait: { for: service/shop, until: { endpoints: 2 }, timeout: 0 }
    expect: { object: { of: service/shop, field: 'spec.ports[0].nodePort', equals: 30080 } }
hints:
  - Which tables does a packet pass before nat?
  - 'iptables -t raw -S on node-a shows rules that kube-proxy never writes.'
quizzes:
  - name: next-chain
    predict: { from: client, to: 'http://{node-b}:30080/', at: node-b, after: KUBE-NODEPORTS }
    because: The rule for port 30080 leads to the KUBE-EXT- chain of the Service.
  - name: first-table
    ask: Which table is evaluated before connection tracking?
    options: [raw, nat, filter]
    answer: 1
    because: Only the chains of raw come before connection tracking; rules there can also exclude packets from it.
solution:
  - vethlab exec ${name} node-a -- iptables -t raw -F PREROUTING
why: A rule in the table raw dropped the packets before any rule of kube-proxy saw them.
remember: A node also has rules that kube-proxy did not write. \`iptables-save\` shows every table.
`
}

function korean(name: string): string {
  return `title: 한 노드포트에서 응답이 없습니다
task: |
  오늘 아침부터 node-a의 30080 포트에서 응답이 없습니다.

    vethlab exec ${name} client -- curl -m 1 http://172.18.0.2:30080/

  클라이언트가 응답을 받을 수 있게 하세요. 서비스에는 문제가 없으니 변경하지 마세요.
checks:
  node-port: 클라이언트가 node-a의 30080 포트에서 응답을 받지 못합니다.
  service: 다른 곳에서 쓰는 노드포트 30080이 서비스에 더 이상 없습니다.
hints:
  - 패킷은 nat 테이블보다 먼저 어떤 테이블을 지나나요?
  - node-a에서 iptables -t raw -S를 실행하면 kube-proxy가 쓰지 않은 규칙이 보입니다.
quizzes:
  next-chain:
    because: 30080 포트에 대한 규칙은 서비스의 KUBE-EXT- 체인으로 넘깁니다.
  first-table:
    ask: 연결 추적보다 먼저 평가되는 테이블은 무엇인가요?
    options: [raw 테이블, nat 테이블, filter 테이블]
    because: 연결 추적보다 앞에 있는 것은 raw의 체인뿐입니다. raw의 규칙으로 패킷을 연결 추적에서 제외할 수도 있습니다.
why: raw 테이블의 규칙이 kube-proxy의 규칙보다 먼저 패킷을 버렸습니다.
remember: kube-proxy가 쓴 규칙이 전부는 아닙니다. \`iptables-save\`로 모든 테이블을 볼 수 있습니다.
`
}

function labYaml(): string {
  return `# yaml-language-server: $schema=${schemaAddress('lab.schema.json')}
title: 'Exercise: A node port is silent'
manifests: [manifests]
`
}

function shopYaml(): string {
  return `# No image is pulled: a container without a command is an echo server that answers with its pod's name.
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      containers:
        - name: shop
          image: nginx
          ports: [{ containerPort: 80 }]
---
apiVersion: v1
kind: Service
metadata: { name: shop }
spec:
  type: NodePort
  selector: { app: shop }
  ports: [{ port: 80, targetPort: 80, nodePort: 30080 }]
`
}
