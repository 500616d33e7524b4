export { nodeReady } from '../nodeStatus.js'
export {
  podExited,
  podFinished as podFailed,
  podReady,
  podRemoved,
  podRestarted,
  podRunning,
} from '../pods/podStatus.js'
export { kindNamed } from '../kinds/index.js'
export { foresee, reconcileLive } from './liveControllers.js'
