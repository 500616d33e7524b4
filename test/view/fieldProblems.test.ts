import t from 'tap'
import { fieldProblems, lineOfField } from '../../src/view/page/live/objects/fieldProblems.js'

const text = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
    - name: http
      port: 80
    - name: https
      port: 443
      nodePort: 99
  externalIPs:
  - 192.0.2.1
  - x
`

t.test('a field is found by its path, also in items of lists', async (t) => {
  const line = (path: string) => lineOfField(text, path)
  t.equal(line('metadata.name'), 4)
  t.equal(line('spec.selector'), 6)
  t.equal(line('spec.ports[0].port'), 10)
  t.equal(line('spec.ports[1].nodePort'), 13)
  t.equal(line('spec.externalIPs[1]'), 16)
})

t.test('of a field that is missing, the nearest one above it', async (t) => {
  t.equal(lineOfField(text, 'spec.ports[1].targetPort'), 11)
  t.equal(lineOfField(text, 'spec.type'), 5)
  t.equal(lineOfField(text, 'status.loadBalancer'), undefined)
})

t.test('each field of a message is a problem of its line', async (t) => {
  const message =
    'Service "web" is invalid: [spec.ports[1].nodePort: Invalid value: 99: provided port is not in the valid range, ' +
    'spec.externalIPs[1]: Invalid value: "x": must be a valid IP address]'
  t.strictSame(fieldProblems(text, message), [
    {
      line: 13,
      message: 'spec.ports[1].nodePort: Invalid value: 99: provided port is not in the valid range',
    },
    { line: 16, message: 'spec.externalIPs[1]: Invalid value: "x": must be a valid IP address' },
  ])
  t.strictSame(fieldProblems(text, ''), [])
})

t.test('a message with a line is about that line', async (t) => {
  const message = 'error converting YAML to JSON: yaml: line 3: mapping values are not allowed'
  t.strictSame(fieldProblems(text, message), [{ line: 3, message }])
})
