import type { Row } from '../row.js'
import { exercise } from './exercise.js'
import { generate } from './generate.js'
import { ingress } from './ingress.js'
import { kubeProxy } from './kubeProxy.js'
import { largeCluster } from './largeCluster.js'
import { manyPods } from './manyPods.js'
import { memory } from './memory.js'
import { mininet } from './mininet.js'
import { modes } from './modes.js'
import { nodeport } from './nodeport.js'
import { page } from './page.js'
import { policies } from './policies.js'
import { predictions } from './predict.js'
import { parse } from './parse.js'
import { objects } from './objects.js'
import { oneChange } from './oneChange.js'
import { packets } from './packets.js'
import { reached } from './reach.js'
import { renders } from './render.js'
import { restore } from './restore.js'
import { startup } from './startup.js'
import { sync } from './sync.js'
import { syncNft } from './syncNft.js'
import { topology } from './topology.js'
import { topologyScale } from './topologyScale.js'
import { traces } from './trace.js'

/** Every row of the benchmark, in the order of its table; a new row is a file in this folder and a line here. */
export const rows: readonly Row[] = [
  nodeport,
  startup,
  exercise,
  topology,
  topologyScale,
  mininet,
  manyPods,
  memory,
  modes,
  generate,
  parse,
  predictions,
  reached,
  traces,
  renders,
  restore,
  sync,
  syncNft,
  policies,
  kubeProxy,
  ingress,
  largeCluster,
  oneChange,
  objects,
  packets,
  page,
]
