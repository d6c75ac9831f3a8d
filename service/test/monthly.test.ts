import { ENGINES } from '@hypocaust/testing/database.ts'
import { MailServer } from '@hypocaust/testing/mail-server.ts'
import { openWorld, type World } from '@hypocaust/testing/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../src/base/logger.ts'
import { choose } from '../src/people/alerts/choices.ts'
import { noteDue, sendSome } from '../src/people/monthly/monthly.ts'

const DAY = 86_400_000

describe.each(ENGINES)('the monthly mail on %s', (engine) => {
  const mail = new MailServer()
  let world: World
  beforeAll(async () => {
    await mail.start()
    world = await openWorld(engine)
  })
  afterAll(async () => {
    await world.close()
    await mail.stop()
  })

  const parts = () => ({
    store: world.store,
    clock: world.clock,
    logger: createLogger('silent'),
    mailer: mail.mailer(),
  })

  /** A turn of each job, as in a process that has just started. */
  const turn = async () => {
    await noteDue(parts())
    await sendSome(parts())
  }

  const at = (time: string) => world.clock.advance(Date.parse(time) - world.clock.now())

  beforeEach(async () => {
    const { db } = world.store
    await db.deleteFrom('monthlyMails').execute()
    await db.deleteFrom('roomHeat').execute()
    await db.deleteFrom('roomSavings').execute()
    mail.received.length = 0
    mail.isBusy = false
    await choose(world.store, world.holder.accountId, { mail: true, language: 'en', muted: [], monthly: true })
    await db.updateTable('rooms').set({ areaM2: 10, floorType: 'screed' }).execute()
    const days = Array.from({ length: 59 }, (_, i) =>
      new Date(Date.UTC(2026, 0, 1) + i * DAY).toISOString().slice(0, 10),
    )
    const rows = world.holder.roomIds.flatMap((roomId, i) =>
      days.map((day) => {
        const kwhM2 = (day < '2026-02' ? 0.4 : 0.3) / (i + 1)
        return { roomId, day, kwhM2, spread: 0.2, hours: '[]', costM2: 0.1 * kwhM2 }
      }),
    )
    await db.insertInto('roomHeat').values(rows).execute()
    at('2026-03-01T09:00:00Z')
  })

  /** What half a degree less would have saved in the bathroom. */
  async function keepSaving(percent: number, plus_minus: number) {
    const savings = {
      days: 28,
      target_temperature: 21,
      half_degree_less: { percent, plus_minus },
      setback_hour_earlier: null,
    }
    await world.store.db.deleteFrom('roomSavings').execute()
    await world.store.db
      .insertInto('roomSavings')
      .values({ roomId: world.bathroomId, replayedAt: 0, settings: '{}', savings: JSON.stringify(savings) })
      .execute()
  }

  test('says what half a degree less would have saved in the largest room, where it is more than its error', async () => {
    await keepSaving(2.6, 1.4)
    await turn()
    expect(mail.received[0]?.text).toContain(
      'At 20.5\u00a0°C instead of 21\u00a0°C, Bathroom would have taken 2.6\u00a0% less heat in the last four weeks (± 1.4\u00a0%).',
    )
    await world.store.db.deleteFrom('monthlyMails').execute()
    await keepSaving(0.5, 0.9)
    await turn()
    expect(mail.received[1]?.text).not.toContain('instead of')
  })

  test('tells the heat of the month before in words, once', async () => {
    await turn()
    await turn()
    world.clock.advance(2 * DAY)
    await turn()
    expect(mail.received.map(({ to, subject }) => [to, subject])).toEqual([
      ['ada@example.org', 'Lakeside 12: heat in February'],
    ])
    const text = mail.received[0]?.text ?? ''
    expect(text).toContain('In February the floors of Lakeside 12 took about')
    expect(text).toMatch(/That is 3\d\s% less than the month before\./)
    expect(text).toMatch(/At your tariff it cost about NOK\u00a0\d+\.\d\d\./)
    expect(text).toContain('took the most')
    expect(text).toContain('Without a heat meter only ratios can be learned')
    expect(text).toContain('not suitable for billing')
    expect(text).toContain(`https://heating.example/buildings/${world.holder.buildingId}/energy`)
  })

  test('calls a month with the same heat as the one before about the same', async () => {
    await world.store.db
      .updateTable('roomHeat')
      .set({ kwhM2: 0.3 * (31 / 28) })
      .where('day', '>=', '2026-02')
      .execute()
    await world.store.db.updateTable('roomHeat').set({ kwhM2: 0.3 }).where('day', '<', '2026-02').execute()
    await turn()
    expect(mail.received[0]?.text).toContain('That is about as much as the month before.')
  })

  test('is written in the language of the reader', async () => {
    await choose(world.store, world.holder.accountId, { mail: true, language: 'de', muted: [] })
    await turn()
    expect(mail.received[0]?.subject).toBe('Lakeside 12: Wärme im Februar')
    expect(mail.received[0]?.text).toContain('weniger als im Monat davor')
  })

  test('is sent once by two processes at the same time, and again after the mail server was busy', async () => {
    mail.isBusy = true
    await turn()
    expect(mail.received).toEqual([])
    mail.isBusy = false
    world.clock.advance(5 * 60_000)
    await Promise.all([turn(), turn(), turn()])
    expect(mail.received).toHaveLength(1)
  })

  test('is not sent at night, in the middle of a month, without heat, or to people who do not want it', async () => {
    at('2026-04-01T01:00:00Z')
    await turn()
    at('2026-04-15T12:00:00Z')
    await turn()
    at('2026-05-02T12:00:00Z')
    await turn()
    expect(mail.received).toEqual([])
    expect(await world.store.db.selectFrom('monthlyMails').select('month').execute()).toHaveLength(1)
    at('2026-03-02T12:00:00Z')
    for (const change of [{ monthly: false }, { mail: false, monthly: true }]) {
      await choose(world.store, world.holder.accountId, { mail: true, language: 'en', muted: [], ...change })
      await turn()
    }
    expect(mail.received).toEqual([])
  })
})
