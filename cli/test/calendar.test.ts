import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR_MS, timestampOf } from '@hypocaust/domain'
import { CalendarServer } from '@hypocaust/testing/calendar-server.ts'
import { carriedOut, hypocaust, type Running, start } from '@hypocaust/testing/command.ts'
import { temporaryFolder } from '@hypocaust/testing/folder.ts'
import { HOUSE, type Holder, settleHolder } from '@hypocaust/testing/houses.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../../service/src/base/clock.ts'
import { createKey } from '../../service/src/people/keys/keys.ts'
import { openStore } from '../../service/src/store/open.ts'

// A holder at a prompt, before a service that really runs; the tests build on each other.

const folder = temporaryFolder()
const env = { XDG_CONFIG_HOME: join(folder.path, 'config') }
const server = new CalendarServer()
let holder: Holder
let service: Running

const feed = (title: string) => {
  const utc = (ms: number) => timestampOf(ms).replace(/[-:]|\.\d+/g, '')
  const [from, until] = [Date.now() + 24 * HOUR_MS, Date.now() + 48 * HOUR_MS].map(utc)
  const event = ['BEGIN:VEVENT', 'UID:1', `SUMMARY:${title}`, `DTSTART:${from}`, `DTEND:${until}`, 'END:VEVENT']
  return ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n')
}

beforeAll(async () => {
  vi.stubEnv('XDG_CONFIG_HOME', env.XDG_CONFIG_HOME)
  await server.start()
  const store = await openStore(join(folder.path, 'data'))
  holder = await settleHolder(store, systemClock, 'ada@example.org', HOUSE)
  const { value } = await createKey(store, systemClock, {
    ...{ accountId: holder.accountId, name: 'control', permission: 'write', expiresAt: null, control: true },
  })
  await store.close()
  writeFileSync(join(folder.path, 'hypocaust.yaml'), 'calendar_private_addresses: true\n')
  service = await start(folder.path, ['serve', '--port', '0', '--mqtt-port', '0', '--log-level', 'error'])
  await hypocaust(folder.path, ['login', service.url], `${value}\n`, env)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.end('SIGKILL')
  await server.stop()
  folder.remove()
})

test('a calendar is added with its rules from an address on standard input, which is never shown', async () => {
  expect((await carriedOut(['calendar', 'list'])).stdout).toBe('Lakeside 12: no calendars\n')
  server.publish(feed('Holiday in Norway'), '"1"')
  const rules = ['--rule', 'Holiday: away 16,5', '--rule', 'Home office: Comfort 08:00-17:00 in bath, living room']
  const added = await hypocaust(folder.path, ['calendar', 'add', 'Family', '-', ...rules], `${server.url}\n`, env)
  expect(added.stdout).toMatch(
    /^Family \(127\.0\.0\.1\), read .+\n {2}Holiday: away 16\.5\n {2}Home office: comfort 08:00-17:00 in Bathroom, Living room\n {2}\d.+ {2}Holiday in Norway\n$/,
  )
  expect(added.stdout).not.toContain('private-4f1c')
})

test('a file is added as a calendar, and an empty title is every event', async () => {
  const file = join(folder.path, 'school.ics')
  writeFileSync(file, feed('Autumn'))
  const { json } = await carriedOut(['calendar', 'add', 'School', file, '--rule', ': like saturday', '--json'])
  expect(json).toMatchObject({
    building: { name: 'Lakeside 12' },
    calendar: { source: 'file', rules: [{ title: '', room_ids: null, effect: 'day', follows: 'saturday' }] },
  })
})

test('refresh reads a calendar again, and says why it cannot', async () => {
  server.publish(feed('Holiday in Sweden'), '"2"')
  const { json } = await carriedOut(['calendar', 'refresh', 'fam', '--json'])
  expect(json.calendar).toMatchObject({ name: 'Family', events: [{ title: 'Holiday in Sweden', rule: 0 }] })
  expect(json.calendar.rules).toHaveLength(2)
  server.answer = (_request, response) => response.writeHead(404).end()
  expect((await carriedOut(['calendar', 'refresh', 'Family'])).stdout).toContain('\n  could not be read: not found\n')
})

test('remove takes one away, and a near name is never taken for it', async () => {
  const near = await carriedOut(['calendar', 'remove', 'Famly'])
  expect([near.code, near.stderr]).toEqual([3, expect.stringContaining('Did you mean:\n  Family')])
  expect((await carriedOut(['calendar', 'remove', 'Family'])).stdout).toBe('Lakeside 12: removed the calendar Family\n')
  const { json } = await carriedOut(['calendar', 'list', '--json'])
  expect(json).toMatchObject([{ building: { name: 'Lakeside 12' }, calendars: [{ name: 'School' }] }])
})

test.each([
  [[], 2, 'say with --rule what follows from its events'],
  [['--rule', 'Holiday away'], 2, '“Holiday away” is not a rule'],
  [['--rule', 'Guests: like sometimes'], 2, 'is not a rule'],
  [['--rule', 'Office: comfort 8-17'], 2, 'is not a rule'],
  [['--rule', 'Holiday: away warm'], 2, 'is not a rule'],
  [['--rule', 'Holiday: away 40'], 4, 'target_temperature'],
  [['--rule', 'Holiday: away in attic'], 3, 'there is no room “attic”'],
])('a calendar with %j is refused', async (rules, code, message) => {
  const outcome = await carriedOut(['calendar', 'add', 'Work', 'https://calendar.example.org/a.ics', ...rules])
  expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(message)])
})
