// Writes client/src/generated/ from the OpenAPI documents; with --check it only says whether the files are fresh.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { requiredFieldsOf, typesOf } from './openapi-types.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (name: string) => JSON.parse(readFileSync(resolve(ROOT, 'docs', name), 'utf8'))
const [v1, control] = [read('openapi.json'), read('openapi-control.json')]
const schemas = { ...v1.components.schemas, ...control.components.schemas }
const document = { components: { ...v1.components, schemas } }
const FILES = { 'types.ts': typesOf, 'required-fields.ts': requiredFieldsOf }

for (const [name, generate] of Object.entries(FILES)) {
  const file = resolve(ROOT, 'client/src/generated', name)
  const fresh = generate(document)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, fresh)
  } else if (readFileSync(file, 'utf8') !== fresh) {
    console.error(`${file} does not fit the interface any more. Run: node scripts/client-types.ts`)
    process.exitCode = 1
  }
}
