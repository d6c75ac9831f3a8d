import { DAY_MS, HOUR_MS, MINUTE_MS, minuteOf, type ProgrammeStep, timestampOf, WEEKDAYS } from '@hypocaust/domain'
import { ENGINES } from '@hypocaust/testing/database.ts'
import { heatingOf } from '@hypocaust/testing/heating.ts'
import { BATHROOM_SENSOR } from '@hypocaust/testing/houses.ts'
import { runs } from '@hypocaust/testing/runs.ts'
import { appOn, openWorld, World } from '@hypocaust/testing/world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appRoomsOf } from '../src/house/rooms/app-rooms.ts'
import { changeRoom } from '../src/house/rooms/manage.ts'

/** Something a person, a program or the operator does. */
type Deed =
  | { kind: 'programme'; steps: ProgrammeStep[] | null }
  | { kind: 'override'; targetC: number | 'off'; hours: number }
  | { kind: 'end override' }
  | { kind: 'away'; inHours: number; hours: number }
  | { kind: 'back' }
  | { kind: 'target'; targetC: number }
  | { kind: 'mode'; mode: 'heat' | 'off' }
  | { kind: 'manual'; power: number }
  | { kind: 'name' }
  | { kind: 'restart' }

/** What the room is asked to do, in the simplest words. */
interface Model {
  targetC: number
  /** A target that was set for now: until a moment, or while the absence lasts that was set then. */
  dialled: { untilMs: number; atMs: number } | { awaySetAtMs: number } | null
  held: number | null
  steps: ProgrammeStep[] | null
  override: { targetC: number | 'off'; untilMs: number; atMs: number } | null
  away: { fromMs: number; untilMs: number; atMs: number } | null
}

const AWAY_C = 14

function automaticAt({ targetC, steps, away }: Model, nowMs: number) {
  const isAway = away !== null && nowMs >= away.fromMs && nowMs < away.untilMs
  const setbackK = steps ? lastSetback(steps, nowMs) : 0
  return isAway
    ? { setpoint: Math.min(targetC, AWAY_C), reason: 'away' }
    : { setpoint: targetC - setbackK, reason: setbackK > 0 ? 'programme' : 'target' }
}

function expectedAt(model: Model, nowMs: number) {
  const { targetC, dialled, held, override, away } = model
  const isAway = away !== null && nowMs >= away.fromMs && nowMs < away.untilMs
  const isDialled =
    dialled !== null &&
    ('untilMs' in dialled
      ? nowMs < dialled.untilMs && !(isAway && away.atMs >= dialled.atMs)
      : isAway && away.atMs === dialled.awaySetAtMs)
  const automatic = isDialled ? { setpoint: targetC, reason: 'target' } : automaticAt(model, nowMs)
  const isOverridden = override !== null && nowMs < override.untilMs && !(isAway && away.atMs > override.atMs)
  if (isOverridden && override.targetC !== 'off') return { setpoint: override.targetC, reason: 'override', held: null }
  if (isOverridden) return { ...automatic, reason: 'off', held: 0 }
  if (held !== null) return { ...automatic, reason: held > 0 ? 'manual' : 'off', held }
  return { ...automatic, held: null }
}

/** The building is in UTC and every day is alike, so that no rule of the code is needed to say it. */
function lastSetback(steps: ProgrammeStep[], nowMs: number): number {
  const minute = Math.floor((nowMs % DAY_MS) / MINUTE_MS)
  return (steps.findLast(({ at }) => minuteOf(at) <= minute) ?? steps.at(-1))?.setback ?? 0
}

function nextStepAfter(steps: ProgrammeStep[], nowMs: number): number {
  const dayMs = nowMs - (nowMs % DAY_MS)
  const times = [dayMs, dayMs + DAY_MS].flatMap((day) => steps.map(({ at }) => day + minuteOf(at) * MINUTE_MS))
  return times.find((ms) => ms > nowMs) ?? Number.POSITIVE_INFINITY
}

function follow(model: Model, deed: Deed, nowMs: number): Model {
  switch (deed.kind) {
    case 'programme':
      return { ...model, steps: deed.steps }
    case 'override':
      return { ...model, override: { targetC: deed.targetC, untilMs: nowMs + deed.hours * HOUR_MS, atMs: nowMs } }
    case 'end override':
      return { ...model, override: null }
    case 'away': {
      const fromMs = nowMs + deed.inHours * HOUR_MS
      return { ...model, away: { fromMs, untilMs: fromMs + deed.hours * HOUR_MS, atMs: nowMs } }
    }
    case 'back':
      return { ...model, away: null }
    case 'target': {
      const after = { ...model, targetC: deed.targetC, override: null }
      const { setpoint, reason } = automaticAt(after, nowMs)
      if (setpoint === deed.targetC) return { ...after, dialled: null }
      if (reason === 'away') return { ...after, dialled: { awaySetAtMs: model.away?.atMs ?? 0 } }
      return { ...after, dialled: { untilMs: nextStepAfter(model.steps ?? [], nowMs), atMs: nowMs } }
    }
    case 'mode':
      return { ...model, held: deed.mode === 'off' ? 0 : null, override: null }
    case 'manual':
      return { ...model, held: deed.power, override: null }
    case 'name':
    case 'restart':
      return model
  }
}

const steps = fc
  .uniqueArray(
    fc.record({
      at: fc.integer({ min: 0, max: 95 }).map((n) => new Date(n * 15 * MINUTE_MS).toISOString().slice(11, 16)),
      setback: fc.constantFrom(0, 1, 2.5),
    }),
    { minLength: 1, maxLength: 4, selector: ({ at }) => at },
  )
  .map((day) => day.toSorted((a, b) => a.at.localeCompare(b.at)))

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('programme' as const), steps: fc.option(steps) }),
  fc.record({
    kind: fc.constant('override' as const),
    targetC: fc.constantFrom<number | 'off'>(18, 23, 'off'),
    hours: fc.constantFrom(1, 5, 30),
  }),
  fc.record({ kind: fc.constant('end override' as const) }),
  fc.record({
    kind: fc.constant('away' as const),
    inHours: fc.constantFrom(0, 3),
    hours: fc.constantFrom(4, 72, Number.POSITIVE_INFINITY),
  }),
  fc.record({ kind: fc.constant('back' as const) }),
  fc.record({ kind: fc.constant('target' as const), targetC: fc.constantFrom(19, 20, 22) }),
  fc.record({ kind: fc.constant('mode' as const), mode: fc.constantFrom('heat' as const, 'off' as const) }),
  fc.record({ kind: fc.constant('manual' as const), power: fc.constantFrom(0.2, 0.5) }),
  fc.record({ kind: fc.constant('name' as const) }),
  fc.record({ kind: fc.constant('restart' as const) }),
)

const story = fc.array(fc.record({ deed, thenHours: fc.constantFrom(0.02, 0.5, 2, 9) }), { minLength: 1, maxLength: 7 })

describe.each(ENGINES)('whatever is said about a room, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(engine)
  })
  afterAll(() => world.close())

  async function carryOut(deed: Deed): Promise<void> {
    const key = world.holder.writeKey
    const path = `${world.bathroomPath}/override`
    const after = (hours: number) => timestampOf(world.clock.now() + hours * HOUR_MS)
    switch (deed.kind) {
      case 'programme': {
        const scope = { buildingId: world.holder.buildingId, roomId: world.bathroomId }
        const programme = deed.steps && Object.fromEntries(WEEKDAYS.map((day) => [day, deed.steps as ProgrammeStep[]]))
        return changeRoom(world.store, world.clock, scope, { programme })
      }
      case 'override': {
        const what = deed.targetC === 'off' ? { hvac_mode: 'off' } : { target_temperature: deed.targetC }
        const { status } = await world.call('PUT', path, { key, body: { ...what, until: after(deed.hours) } })
        expect(status).toBe(200)
        return
      }
      case 'end override':
        await world.call('DELETE', path, { key })
        return
      case 'away': {
        const body = {
          from: after(deed.inHours),
          until: deed.hours === Number.POSITIVE_INFINITY ? null : after(deed.inHours + deed.hours),
          target_temperature: AWAY_C,
        }
        expect((await world.call('PUT', `${world.buildingPath}/away`, { key, body })).status).toBe(200)
        return
      }
      case 'back':
        await world.call('DELETE', `${world.buildingPath}/away`, { key })
        return
      case 'target':
        await world.patch({ target_temperature: deed.targetC })
        return
      case 'mode':
        await world.patch({ hvac_mode: deed.mode })
        return
      case 'manual':
        await world.patch({ manual_power: { enabled: true, power: deed.power } })
        return
      case 'name':
        await world.patch({ name: 'Bath' })
        return
      case 'restart':
        world = new World(world.test, world.clock, await appOn(world.store, world.clock), world.holder, world.stranger)
    }
  }

  test('there is one setpoint, and outlook, explanation, page and control agree on it', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (deeds) => {
        world = await world.refurnished()
        await world.store.db.updateTable('buildings').set({ timezone: 'UTC' }).execute()
        let model: Model = { targetC: 20, dialled: null, held: null, steps: null, override: null, away: null }
        for (const { deed, thenHours } of deeds) {
          model = follow(model, deed, world.clock.now())
          await carryOut(deed)
          world.clock.advance(thenHours * HOUR_MS)
          await world.gatewaysReport()
          await world.report(BATHROOM_SENSOR, { temperatureC: 19.5 })
          const heating = heatingOf(world)
          await heating.control(world.holder.buildingId)
          await heating.settled()
          const nowMs = world.clock.now()
          const { held, ...expected } = expectedAt(model, nowMs)
          const outlook = (await world.get(`${world.bathroomPath}/outlook`)).json
          const explanation = (await world.get(`${world.bathroomPath}/explanation`)).json
          const [page] = await appRoomsOf(world.store, world.holder.buildingId, nowMs)
          expect(outlook).toMatchObject(expected)
          expect(explanation.aim).toMatchObject({ target: expected.setpoint, reason: expected.reason })
          expect(page).toMatchObject({ aim: expected.setpoint, schedule: expected })
          expect(page?.target_temperature).toBe(model.targetC)
          expect(explanation.mode).toBe(held === null ? 'heat' : held > 0 ? 'manual' : 'off')
          if (held !== null) expect(page?.power).toBe(held)
          expect(outlook.heating).toBe((page?.power ?? 0) > 0)
        }
      }),
      { numRuns: runs(engine === 'sqlite' ? 25 : 4) },
    )
  })
})
