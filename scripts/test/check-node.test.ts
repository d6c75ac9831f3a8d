import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What is printed on a machine whose linker knows these libraries, or that has no such linker. */
function printedWith(libraries: string[] | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-libraries-'))
  const answer = libraries ? `echo '${libraries.join('\n')}'` : 'exit 1'
  writeFileSync(join(folder, 'ldconfig'), `#!/bin/sh\n${answer}\n`)
  chmodSync(join(folder, 'ldconfig'), 0o755)
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-node.mjs'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  })
  expect(status).toBe(0)
  return stderr
}

test('before the installation, a library that Node lacks is named, with the command that installs it', () => {
  expect(printedWith(['libm.so.6'])).toMatch(/libatomic\.so\.1 is missing.*apt-get install libatomic1/s)
})

test('nothing is printed where the library is, or where the libraries cannot be listed', () => {
  expect(printedWith(['libm.so.6', 'libatomic.so.1 => /lib/libatomic.so.1'])).toBe('')
  expect(printedWith(null)).toBe('')
})

test.each(['scripts/check-node.mjs', 'cli/bin/hypocaust.js'])('%s refuses a 32-bit system with a sentence', (file) => {
  const pretend = `Object.defineProperty(process, 'arch', { value: 'arm' })`
  const { status, stderr } = spawnSync(process.execPath, ['--import', `data:text/javascript,${pretend}`, file], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/64-bit system.*32-bit \(arm\).*Raspberry Pi OS \(64-bit\)/s)
})

test('where npm has no Node for the machine, a newer one is asked for, unless the machine has one', () => {
  const onAnotherMachine = (node: string) => {
    const pretend = `Object.defineProperty(process, 'arch', { value: 'riscv64' }); Object.defineProperty(process, 'versions', { value: { node: '${node}' } })`
    return spawnSync(process.execPath, ['--import', `data:text/javascript,${pretend}`, 'scripts/check-node.mjs'], {
      encoding: 'utf8',
    })
  }
  const old = onAnotherMachine('20.20.2')
  expect(old.status).toBe(1)
  expect(old.stderr).toMatch(/no Node [\d.]+ for \w+-riscv64.*20\.20\.2.*too old.*Install Node/s)
  expect(onAnotherMachine('26.10.0').status).toBe(0)
})
