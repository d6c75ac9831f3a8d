// Writes client/src/generated/types.ts from the OpenAPI document; with --check it only tells whether it is fresh.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { typesOf } from './openapi-types.ts'

const DOCUMENT = resolve(import.meta.dirname, '../docs/openapi.json')
const FILE = resolve(import.meta.dirname, '../client/src/generated/types.ts')

const fresh = typesOf(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, fresh)
} else if (readFileSync(FILE, 'utf8') !== fresh) {
  console.error('client/src/generated/types.ts does not fit the interface any more. Run: node scripts/client-types.ts')
  process.exitCode = 1
}
