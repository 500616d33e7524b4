import t from 'tap'
import { parse } from 'yaml'
import { resources } from '../../../src/apiserver/resources.js'
import { objectsText, type Found } from '../../../src/commands/kubectl/objectsText.js'

function found(kind: string, named: boolean, ...answers: unknown[]): Found {
  const resource = resources.find((one) => one.kind === kind)
  if (resource === undefined) throw new Error(kind)
  return { resource, named, answers }
}

const named = (name: string) => ({ metadata: { name } })
const services = { kind: 'ServiceList', apiVersion: 'v1', items: [named('web'), named('db')] }
const slices = { kind: 'EndpointSliceList', apiVersion: 'discovery.k8s.io/v1', items: [named('web-1')] }

t.test('objects of several kinds are one List, whose items have kind and apiVersion', (t) => {
  const all = [found('Service', false, services), found('EndpointSlice', false, slices)]
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    metadata: { resourceVersion: '' },
    items: [
      { apiVersion: 'v1', kind: 'Service', ...named('web') },
      { apiVersion: 'v1', kind: 'Service', ...named('db') },
      { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...named('web-1') },
    ],
  }
  t.same(parse(objectsText(all, 'yaml')), list)
  t.same(JSON.parse(objectsText(all, 'json')), list)
  t.equal(objectsText(all, 'name'), 'service/web\nservice/db\nendpointslice.discovery.k8s.io/web-1\n')
  t.end()
})

t.test('one object by name is printed alone; a list of one object is a List', (t) => {
  const web = { kind: 'Service', apiVersion: 'v1', ...named('web') }
  t.same(parse(objectsText([found('Service', true, web)], 'yaml')), web)
  t.match(parse(objectsText([found('Service', true, web, web)], 'yaml')), { kind: 'List' })
  const one = { ...services, items: [named('web')] }
  t.match(parse(objectsText([found('Service', false, one)], 'yaml')), { kind: 'List', items: [web] })
  t.match(parse(objectsText([found('Service', false, { ...services, items: [] })], 'yaml')), { items: [] })
  t.equal(objectsText([found('Service', false, { ...services, items: [] })], 'name'), '')
  t.end()
})
