import t from 'tap'
import { bodyLimit } from '../../../src/ingress/haproxy/bodyLimit.js'

const lines = (most: number, isStream = false) => bodyLimit(most, isStream).map((words) => words.join(' '))

t.test('a body without a length is buffered up to one byte more than the limit', (t) => {
  t.same(lines(10), [
    'http-request wait-for-body time 10s at-least 11 if !{ req.fhdr(content-length) -m found }',
    'http-request return status 413 if { req.body_size gt 10 }',
  ])
  t.end()
})

t.test('a body that exceeds the buffer needs a length', (t) => {
  t.same(lines(8_000_000), [
    'http-request wait-for-body time 10s at-least 12000 if !{ req.fhdr(content-length) -m found }',
    'http-request return status 413 if { req.body_size gt 8000000 }',
    'http-request return status 411 if !{ req.fhdr(content-length) -m found } { req.body_size gt 11999 }',
  ])
  t.same(
    lines(10, true),
    ['http-request return status 413 if { req.body_size gt 10 }'],
    'streams are not buffered',
  )
  t.end()
})
