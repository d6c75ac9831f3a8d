import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
const blocks = [...page.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, block = '']) => block)
const blockWith = (word: string) => blocks.find((block) => block.includes(word)) ?? ''

/** The service believes a trusted proxy, so what a caller has written must not come through it. */
test.each([
  ['Caddy', blockWith('reverse_proxy'), [/header_up +-X-Ingress-Path$/m]],
  ['nginx', blockWith('proxy_pass'), [/proxy_set_header X-Ingress-Path +"";/, /proxy_set_header Connection +"";/]],
  ['HAProxy', readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8'), [/http-request del-header x-ingress-path/]],
])('the example for %s drops the base path that a caller names', (_, example, lines) => {
  for (const line of lines) expect(example).toMatch(line)
})
