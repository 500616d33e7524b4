import t from 'tap'
import { splitPaste } from '../../../src/snapshot/attached/texts/splitPaste.js'
import { readNodeText } from '../../../src/snapshot/attached/texts/nodeText.js'
import { fixture } from './nodeTextFile.js'

const shown = (text: string) =>
  splitPaste('paste.txt', text).map((part) => ({
    ...{ line: part.line, command: part.command, node: part.node },
    format: readNodeText(part)?.format,
  }))

t.test('prompts of several forms', async (t) => {
  const text = `hi, it is broken
root@node1:~# ip r
default via 172.18.0.1 dev eth0
[root@node2 ~]# iptables -t nat -S
-P PREROUTING ACCEPT
-P POSTROUTING ACCEPT
-A PREROUTING -j KUBE-SERVICES
node3 $ ip rule
0:\tfrom all lookup local
$ kubectl get svc
NAME   TYPE
+ ip neigh
10.0.0.1 dev eth0 lladdr 02:42:ac:12:00:0b REACHABLE
# sysctl net.ipv4.ip_forward
net.ipv4.ip_forward = 1
node4:~ # conntrack -L
root@node1:~#
any ideas?
`
  t.strictSame(shown(text), [
    { line: 1, command: undefined, node: undefined, format: undefined },
    { line: 3, command: 'ip r', node: 'node1', format: 'ip route' },
    { line: 5, command: 'iptables -t nat -S', node: 'node2', format: 'iptables -S' },
    { line: 9, command: 'ip rule', node: 'node3', format: 'ip rule' },
    { line: 11, command: 'kubectl get svc', node: undefined, format: undefined },
    { line: 13, command: 'ip neigh', node: undefined, format: 'ip neigh' },
    { line: 15, command: 'sysctl net.ipv4.ip_forward', node: undefined, format: 'sysctl' },
    { line: 17, command: 'conntrack -L', node: 'node4', format: undefined },
    { line: 18, command: undefined, node: 'node1', format: undefined },
  ])
})

t.test('markdown, colours and line ends of another system', async (t) => {
  const text =
    '### iptables-save\r\n```\r\n\x1b[32m*nat\x1b[0m\r\n:PREROUTING ACCEPT [0:0]\r\nCOMMIT\r\n```\r\nand routes:\r\n```sh\r\n10.0.0.0/8 dev eth0\r\n```\r\n'
  const parts = splitPaste('issue.md', text)
  t.strictSame(
    parts.map(({ line, command, text: own }) => [line, command, own.trim()]),
    [
      [2, 'iptables-save', '*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT'],
      [7, undefined, 'and routes:'],
      [9, undefined, '10.0.0.0/8 dev eth0'],
    ],
  )
})

t.test('without prompts, where the format changes, and nodes in headings', async (t) => {
  const text = `=== worker-1 ===
${fixture('iptables-S-raw')}default via 172.18.0.1 dev eth0
apiVersion: v1
kind: Service
metadata:
  name: web
==> /tmp/worker-2/ip-rule.txt <==
0:\tfrom all lookup local
`
  const lines = fixture('iptables-S-raw').split('\n').length
  t.strictSame(shown(text), [
    { line: 2, command: undefined, node: 'worker-1', format: 'iptables -S' },
    { line: 1 + lines, command: undefined, node: 'worker-1', format: 'ip route' },
    { line: 2 + lines, command: undefined, node: 'worker-1', format: undefined },
    { line: 7 + lines, command: 'cat /tmp/worker-2/ip-rule.txt', node: 'worker-1', format: 'ip rule' },
  ])
})

t.test('commands that run on a node, or in a pod', async (t) => {
  const route = 'default via 172.18.0.1 dev eth0'
  const text = `me@laptop:~$ ssh root@n1 ip route
${route}
me@laptop:~$ docker exec kind-worker ip route
${route}
me@laptop:~$ kubectl exec -it web-1 -- sh
/ # ip route
${route}
/ # exit
me@laptop:~$ kubectl debug node/n2 -it --image=busybox -- chroot /host ip route
${route}
`
  const nodes = splitPaste('paste.txt', text).filter(({ text: own }) => own.includes('default'))
  t.strictSame(
    nodes.map((part) => [part.node, part.command, readNodeText(part)?.routes?.length]),
    [
      ['n1', 'ssh root@n1 ip route', 1],
      ['kind-worker', 'docker exec kind-worker ip route', 1],
      [undefined, 'kubectl exec -it web-1 -- ip route', undefined],
      ['n2', 'kubectl debug node/n2 -it --image=busybox -- chroot /host ip route', 1],
    ],
    'what was typed in a pod shows nothing of the node',
  )
})

t.test('the parts have the lines of the paste', async (t) => {
  const text = `intro\n$ iptables-save -c\n${fixture('iptables-save-c')}$ ip -d addr\n${fixture('ip-daddr')}`
  const lines = text.split('\n')
  const parts = splitPaste('paste.txt', text)
  t.equal(parts.length, 3)
  for (const part of parts)
    part.text.split('\n').forEach((line, index) => {
      if (line !== lines[part.line - 1 + index]) t.equal(line, lines[part.line - 1 + index])
    })
  const rules = readNodeText(parts[1] ?? { path: '', line: 1, text: '' })?.rules?.IPv4
  const [rule] = rules?.get('nat')?.get('KUBE-MARK-MASQ')?.rules ?? []
  t.match(lines[(rule?.at?.line ?? 0) - 1], /-A KUBE-MARK-MASQ/)
})
