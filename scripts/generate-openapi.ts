// Writes the interfaces' documents as the service tells them; with --check only says whether the files are fresh.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readSettings, startService } from '../service/src/index.ts'

/** Each document: where the service serves it, and where it is kept. */
const DOCUMENTS = {
  '/openapi.json': 'docs/openapi.json',
  '/control/openapi.json': 'docs/openapi-control.json',
  '/app/openapi.json': 'docs/openapi-app.json',
}

const isCheck = process.argv.includes('--check')
const data = mkdtempSync(join(tmpdir(), 'hypocaust-openapi-'))
const service = await startService(readSettings({ data, port: 0, mqtt_port: 0, log_level: 'error' }, {}))
try {
  for (const [path, name] of Object.entries(DOCUMENTS)) await write(path, name)
} finally {
  await service.stop()
  rmSync(data, { recursive: true })
}

async function write(path: string, name: string): Promise<void> {
  const text = `${JSON.stringify(await (await fetch(service.url + path)).json(), null, 2)}\n`
  const file = resolve(import.meta.dirname, '..', name)
  if (!isCheck) {
    writeFileSync(file, text)
  } else if (readOrEmpty(file) !== text) {
    console.error(`${name} is stale; make it anew with: npm run generate`)
    process.exitCode = 1
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
