import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { afterEach, expect, test } from 'vitest'

const folder = temporaryFolder()
afterEach(() => folder.remove())

test('under node --watch, as npm run dev starts it, a new database is written', async () => {
  const open = join(import.meta.dirname, '../src/store/open.ts')
  const script = join(folder.path, 'write.ts')
  writeFileSync(
    script,
    `import { openStore } from ${JSON.stringify(open)}
     const store = await openStore(${JSON.stringify(folder.path)})
     await store.db.deleteFrom('buildings').execute()
     await store.close()
     console.log('written')`,
  )
  const child = spawn(process.execPath, ['--watch', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const ended = new Promise<void>((resolve) => {
    const hear = (text: Buffer) => {
      printed += text
      if (/(Completed|Failed) running/.test(printed)) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
  })
  await ended
  child.kill()
  await once(child, 'exit')
  expect(printed).toContain('written')
})
