import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WEBHOOK_TEST, WEBHOOK_TYPES } from '@hypocaust/domain'
import { describe, expect, test } from 'vitest'
import { secretOf, signedHeaders } from '../src/people/webhooks/signature.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const codeIn = (language: string): string => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

const secret = secretOf('a secret of more than thirty-two characters', 'a webhook')
const body = '{"type":"webhook.test","data":{"name":"Küche"}}'
const headersAt = (atMs: number) => signedHeaders(secret, { id: 'event_1', atMs, body })

/** Secret, headers and body, and whether the message is the service's. */
function cases(): [string, Record<string, string>, string, boolean][] {
  const now = headersAt(Date.now())
  const { 'webhook-signature': signature = '', ...unsigned } = now
  return [
    [secret, now, body, true],
    [secret, { ...now, 'webhook-signature': `v1,AAAA v1a,BBBB ${signature}` }, body, true],
    [secret, now, `${body} `, false],
    [secret, { ...now, 'webhook-id': 'event_2' }, body, false],
    [secret, { ...now, 'webhook-signature': '' }, body, false],
    [secret, { ...now, 'webhook-signature': 'v1,ü' }, body, false],
    [secret, unsigned, body, false],
    [secret, {}, body, false],
    [secret, { ...now, 'webhook-timestamp': 'soon' }, body, false],
    [secret, headersAt(Date.now() - 3_600_000), body, false],
    [secretOf('another secret of more than thirty-two', 'a webhook'), now, body, false],
  ]
}

const LANGUAGES = {
  TypeScript: (asked: string) => [
    process.execPath,
    '--input-type=module-typescript',
    '-e',
    `${codeIn('ts')}\nconsole.log(JSON.stringify(${asked}.map(([s, h, b]) => isGenuine(s, h, b))))`,
  ],
  Python: (asked: string) => [
    'python3',
    '-c',
    `${codeIn('python')}\nimport json\nprint(json.dumps([is_genuine(*each) for each in json.loads(${JSON.stringify(asked)})]))`,
  ],
}

const isThere = ([, commandOf]: [string, (asked: string) => string[]]): boolean =>
  spawnSync(commandOf('')[0] ?? '', ['--version']).status === 0

describe('the page about webhooks', () => {
  test.each(Object.entries(LANGUAGES).filter(isThere))(
    'tells genuine messages from others in %s',
    (_name, commandOf) => {
      const [program = '', ...args] = commandOf(JSON.stringify(cases().map(([s, h, b]) => [s, h, b])))
      const { stdout, stderr } = spawnSync(program, args, {
        encoding: 'utf8',
        env: { ...process.env, PYTHONUTF8: '1' },
      })
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toEqual(cases().map(([, , , isGenuine]) => isGenuine))
    },
  )

  test('names every type of message', () => {
    for (const type of [...Object.keys(WEBHOOK_TYPES), WEBHOOK_TEST]) expect(page).toContain(`\`${type}\``)
  })
})

test('signs as the libraries of Standard Webhooks do', () => {
  const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    atMs: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  })
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})
