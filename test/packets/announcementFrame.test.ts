import t from 'tap'
import { announcementFrame } from '../../src/packets/announcementFrame.js'

const mac = '0a:58:ac:12:00:02'

function hex(frame: Uint8Array): string {
  return Buffer.from(frame).toString('hex')
}

t.test('IPv4: a broadcast ARP request for the sender’s own address', async (t) => {
  t.equal(
    hex(announcementFrame('192.0.2.1', mac)),
    ['ffffffffffff', '0a58ac120002', '0806', '0001080006040001'].join('') +
      ['0a58ac120002', 'c0000201', '000000000000', 'c0000201'].join(''),
  )
})

t.test('IPv6: an unsolicited advertisement with the Override flag', async (t) => {
  const frame = announcementFrame('2001:db8::1', mac)
  const address = '20010db8000000000000000000000001'
  const allNodes = 'ff020000000000000000000000000001'
  t.equal(
    hex(frame).replace(/^(.{112}).{4}/, '$1----'),
    ['333300000001', '0a58ac120002', '86dd', '60000000', '0020', '3a', 'ff', address, allNodes].join('') +
      ['8800', '----', 'a0000000', address, '0201', '0a58ac120002'].join(''),
  )
  t.equal(onesComplementSum(frame), 0xffff, 'with a correct checksum the sum is all ones')
})

/** The sum of the addresses, the length, the protocol and the message (RFC 8200, 8.1). */
function onesComplementSum(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const message = frame.byteLength - 54
  let sum = message + 58
  for (let offset = 22; offset < frame.byteLength; offset += 2) sum += view.getUint16(offset)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return sum
}
