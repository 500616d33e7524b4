// What is built into dist/vethlab.cjs: the command line and the library, of which each part is loaded when it is asked for.
exports.startCommandLine = () => require('../src/cli.ts')
exports.library = () => require('../src/index.ts')
