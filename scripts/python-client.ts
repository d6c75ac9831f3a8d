// Writes types and operations of python/src/hypocaust/ from the OpenAPI documents; with --check it only says whether it is fresh.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pythonOperationsOf } from './openapi-python-operations.ts'
import { pythonTypesOf } from './openapi-python-types.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (name: string) => JSON.parse(readFileSync(resolve(ROOT, 'docs', name), 'utf8'))
const [v1, control] = [read('openapi.json'), read('openapi-control.json')]
const schemas = { ...v1.components.schemas, ...control.components.schemas }
const FILES = {
  'types.py': pythonTypesOf({ components: { ...v1.components, schemas } }),
  'operations.py': pythonOperationsOf([v1, control]),
}

for (const [name, fresh] of Object.entries(FILES)) {
  const file = resolve(ROOT, 'python/src/hypocaust', name)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, fresh)
  } else if (readFileSync(file, 'utf8') !== fresh) {
    console.error(`${file} does not fit the interface any more. Run: node scripts/python-client.ts`)
    process.exitCode = 1
  }
}
