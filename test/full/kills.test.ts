// The kills of `npm test`, here with their full number.
import '../kernel/leftBehind.test.js'
