import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../docs', file), 'utf8')
const METHODS = ['get', 'put', 'patch', 'delete', 'post']

test('the page for integrations has every call of the interface in its table, and no other', () => {
  const { paths }: { paths: Record<string, object> } = JSON.parse(read('openapi.json'))
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const [, table = ''] = /^## The calls\n([\s\S]*?)^```/m.exec(read('api.md')) ?? []
  const rows = [...table.matchAll(/^\| (`(?:GET|PATCH|POST).*?) \|/gm)].map(([, cell = '']) => cell)
  const listed = rows.flatMap((cell) => {
    const path = /\/v1[^`?]*/.exec(cell)?.[0] ?? ''
    return [...cell.matchAll(/[A-Z]{3,}/g)]
      .map(([method]) => method)
      .filter((method) => METHODS.includes(method.toLowerCase()))
      .map((method) => `${method} ${path}`)
  })
  expect(listed.sort()).toEqual(calls.sort())
})
