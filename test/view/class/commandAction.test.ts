import { readdirSync } from 'node:fs'
import t from 'tap'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'
import { commandAction } from '../../../src/view/page/class/commandAction.js'
import { proseOf } from '../../../src/view/page/class/proseBlocks.js'

const type = (place: string | undefined, text: string, runs = true) => ({ kind: 'type', place, text, runs })

const lines: readonly (readonly [line: string, action: unknown])[] = [
  ['vethlab exec island node-a -- sysctl net.ipv4.ip_forward', type('node-a', 'sysctl net.ipv4.ip_forward')],
  ['sudo vethlab exec x client -- curl http://{a}/', type('client', 'curl http://{a}/')],
  [
    "vethlab exec x client -- sh -c 'echo hello | nc -u 172.18.0.2 30053'",
    type('client', "sh -c 'echo hello | nc -u 172.18.0.2 30053'"),
  ],
  ['vethlab exec x client -- curl a && vethlab exec x client -- curl b', type('client', 'curl a && curl b')],
  ['vethlab exec x client -- curl a && vethlab exec x node-a -- curl b', undefined],
  ['vethlab shell x node-a', { kind: 'shell', place: 'node-a' }],
  ['vethlab kubectl x get pods,services -o wide', type(undefined, 'kubectl get pods,services -o wide')],
  ['vethlab kubectl x describe service shop', type(undefined, 'kubectl describe service shop')],
  [
    `vethlab kubectl x patch service/shop -p '{"spec":{}}'`,
    type(undefined, `kubectl patch service/shop -p '{"spec":{}}'`),
  ],
  [
    "vethlab kubectl x get deployment shop -o yaml | sed 's/8081/80/' | vethlab kubectl x apply -f -",
    type(undefined, "kubectl get deployment shop -o yaml | sed 's/8081/80/' | kubectl apply -f -"),
  ],
  ['vethlab restart x kube-proxy', { kind: 'restart', node: undefined }],
  ['vethlab restart x kube-proxy/node-a', { kind: 'restart', node: 'node-a' }],
  [
    'vethlab kubectl x rollout restart deployment/shop',
    type(undefined, 'kubectl rollout restart deployment/shop'),
  ],
  ['vethlab rules x node-a --service default/shop', { kind: 'rules', node: 'node-a' }],
  ['vethlab trace x client http://{node-a}:30080/', { kind: 'pane', pane: 'path' }],
  ['vethlab capture x', { kind: 'pane', pane: 'packets' }],
  ['vethlab workshop hint', { kind: 'exercise', action: 'hint' }],
  ['vethlab workshop list', undefined],
  ['vethlab exec x node-a -- ip route get ADDRESS', type('node-a', 'ip route get ADDRESS', false)],
]

t.test('a command of a text is carried out in the terminal of its place, or in the live view', async (t) => {
  for (const [line, action] of lines) t.strictSame(commandAction(line, true), action, line)
})

t.test('code in a sentence is typed without Enter if it is a tool, and is else just code', async (t) => {
  t.strictSame(commandAction('ss -ltn', false), type(undefined, 'ss -ltn', false))
  t.strictSame(commandAction('ip route get 주소', false), type(undefined, 'ip route get 주소', false))
  t.equal(commandAction('all', false), undefined)
  t.equal(commandAction('net.ipv4.ip_forward', false), undefined)
  t.strictSame(commandAction('vethlab kubectl x get pods', false), type(undefined, 'kubectl get pods'))
})

t.test('every command of the exercises can be carried out, in both languages', async (t) => {
  const exercises = readdirSync('labs/exercises')
    .filter((name) => !name.includes('.'))
    .map((name) => loadExercise(name))
  let commands = 0
  for (const { name, texts, solution } of exercises) {
    const all = Object.values(texts).flatMap(({ task, hints, why, remember }) => [
      task,
      ...hints,
      why,
      remember,
    ])
    const written = all.flatMap(proseOf).flatMap((block) => (block.kind === 'commands' ? block.lines : []))
    for (const line of [...written, ...solution].filter((one) => /^(sudo )?vethlab /.test(one))) {
      t.ok(commandAction(line, true), `${name}: ${line}`)
      // kubectl reads a patch that begins with a brace as JSON
      const [, patch] = / -p '(.*)'$/.exec(line) ?? []
      if (patch !== undefined) t.doesNotThrow(() => void JSON.parse(patch), `${name}: ${line}`)
      commands++
    }
  }
  t.ok(commands > 100, `${commands} commands`)
})
