import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseInterfaces } from './interfaces.js'

t.test('ip -o link show', async (t) => {
  t.strictSame(
    [...parseInterfaces(readFileSync('test/golden/pcap/links/node-a.txt', 'utf8'))],
    [
      [1, 'lo'],
      [2, 'eth0'],
      [3, 'cni0'],
      [4, 'veth-caller'],
      [5, 'veth-echo-a'],
    ],
  )
})

t.test('index and name', async (t) => {
  t.strictSame(
    [...parseInterfaces('1 lo\n  7 veth0a1b2c3d\n12: eth0.100@eth0: <UP> mtu 1500\n')],
    [
      [1, 'lo'],
      [7, 'veth0a1b2c3d'],
      [12, 'eth0.100'],
    ],
  )
})

t.test('other lines are ignored', async (t) => {
  t.equal(
    parseInterfaces('\nInter-| Receive\n    link/ether 0a:58:0a:f4:00:05 brd ff:ff:ff:ff:ff:ff\n').size,
    0,
  )
})
