import t from 'tap'
import { fieldOf, fieldPattern } from '../../../../src/lab/expectations/objects/objectField.js'

const gateway = {
  metadata: { labels: { 'example.com/door': 'front', "it's": 1 } },
  status: {
    conditions: [
      { type: 'Accepted', status: 'True', reason: 'Accepted' },
      { type: 'Programmed', status: 'False', reason: 'Invalid' },
    ],
    listeners: [{ name: 'http', port: 80 }, { name: 'https', port: 443 }, null],
  },
}

t.test('fields by name, by place, and by what is in them', async (t) => {
  for (const [field, value] of [
    ['status.conditions[0].reason', 'Accepted'],
    ['status.conditions[type=Programmed].reason', 'Invalid'],
    ['status.listeners[name=https].port', 443],
    ['status.listeners[port=80].name', 'http'],
    ["metadata.labels['example.com/door']", 'front'],
    ['status.conditions[type=Ready].reason', undefined],
    ['status.conditions[2].reason', undefined],
    ['metadata.labels[name=a].b', undefined],
    ['status.conditions.length.toString', undefined],
    ['status.constructor', undefined],
    ['status.conditions[constructor=x]', undefined],
  ] as const) {
    t.match(field, fieldPattern, field)
    t.strictSame(fieldOf(gateway, field), value, field)
  }
})

t.test('what is no field', async (t) => {
  for (const text of [
    '',
    '[0]',
    '.spec',
    'spec.',
    'a[]',
    'a[=x]',
    'a[type=]',
    'a[type=x',
    "a['']",
    'a[b[c]=d]',
  ])
    t.notMatch(text, fieldPattern, text)
})
