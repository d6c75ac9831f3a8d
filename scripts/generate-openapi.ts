// Writes docs/openapi.json as the service tells it; with --check only says whether the file is fresh.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readSettings, startService } from '../service/src/index.ts'

const FILE = resolve(import.meta.dirname, '../docs/openapi.json')

const text = `${JSON.stringify(await documentOfService(), null, 2)}\n`
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text)
} else if (readOrEmpty(FILE) !== text) {
  console.error('docs/openapi.json is stale; make it anew with: npm run generate')
  process.exitCode = 1
}

async function documentOfService(): Promise<unknown> {
  const data = mkdtempSync(join(tmpdir(), 'hypocaust-openapi-'))
  const service = await startService(readSettings({ data, port: 0, mqtt_port: 0, log_level: 'error' }, {}))
  try {
    return await (await fetch(`${service.url}/openapi.json`)).json()
  } finally {
    await service.stop()
    rmSync(data, { recursive: true })
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
