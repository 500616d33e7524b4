#!/usr/bin/env node
// Starts the command line from the compiled code that the build wrote beside it, so that V8 does not compile a megabyte of
// text at each start. Code compiled by another version of Node is ignored, and the text is compiled as usual. The help has a
// smaller file than the verbs, with the functions that it uses.
'use strict'
const { readFileSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const v8 = require('node:v8')
const vm = require('node:vm')

// a function is optimized when it has run eight times as much as by V8's default (67,584): most commands end before that pays
v8.setFlagsFromString('--interrupt-budget=540672')

const file = join(__dirname, 'vethlab.cjs')
const [first = '--help'] = process.argv.slice(2)
const compiled = join(__dirname, /^(-|help$)/.test(first) ? 'help.compiled' : 'vethlab.compiled')

// the build has written ASCII alone
const script = new vm.Script(wrap(readFileSync(file, 'latin1')), {
  filename: file,
  cachedData: readCompiled(),
  importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
if (process.env.VETHLAB_WRITE_COMPILED === '1') {
  process.on('exit', () => writeFileSync(compiled, script.createCachedData()))
}
script.runInThisContext().call(exports, exports, require, module, file, __dirname)
exports.startCommandLine()

function readCompiled() {
  try {
    return readFileSync(compiled)
  } catch {
    return undefined
  }
}
