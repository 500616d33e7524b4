import t from 'tap'
import { tryLesson } from './lessonCommands.js'

// `npm run test:full` tries the others
tryLesson(t, 'nodeport')
