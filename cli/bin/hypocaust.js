#!/usr/bin/env node
// Plain JavaScript, so that an older Node can run it: it passes the command on to the Node it needs.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const NEEDED_MAJOR = 26

/** Packages that bring a Node: `node` in the repository, one for each platform in the published package. */
const PACKAGES = [
  'node',
  `node-${process.platform}-${process.arch}`,
  `node-bin-${process.platform}-${process.arch}`,
  `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
]

const require = createRequire(import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const main = new URL(`../${manifest.main}`, import.meta.url)

if (['arm', 'ia32'].includes(process.arch)) {
  console.error(
    `hypocaust: a 64-bit system is needed, and this one is 32-bit (${process.arch}). ` +
      'On a Raspberry Pi 3 or newer install Raspberry Pi OS (64-bit).',
  )
  process.exitCode = 1
} else if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  await import(main.href)
} else {
  const node = PACKAGES.map(nodeOf).find(Boolean)
  if (node) {
    passOn(node)
  } else {
    console.error(
      `hypocaust: Node ${NEEDED_MAJOR} or newer is needed, and this is ${process.version}. Install Node ${NEEDED_MAJOR}, ` +
        'or install this package again without --omit=optional: npm then brings the right Node.',
    )
    process.exitCode = 1
  }
}

/** The program of a package that brings Node, if it is installed. */
function nodeOf(name) {
  try {
    const file = require.resolve(`${name}/package.json`)
    return require.resolve(`${name}/${JSON.parse(readFileSync(file, 'utf8')).bin.node}`)
  } catch {
    return undefined
  }
}

function passOn(node) {
  const child = spawn(node, [main.pathname, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both processes, and a second one would end the command without draining.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`hypocaust: ${node} does not start: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
