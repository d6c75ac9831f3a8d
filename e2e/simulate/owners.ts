import { ServiceError } from '../../service/src/base/errors.ts'
import { undoChange } from '../../service/src/house/buildings/undo-change.ts'
import { WHOLE_HOUSE } from '../../service/src/house/membership.ts'
import { createKey, revokeKey } from '../../service/src/people/keys/keys.ts'
import { type Change, PossibleSettings } from './checks/room-settings.ts'
import type { Action } from './plan.ts'
import { type Answer, Requests } from './requests.ts'
import type { World } from './world.ts'

const FOLLOWED_WITHIN_MS = 3500
const HEARD_WITHIN_MS = 3000
const WAIT_S = 8

/** People and programs: what they do, and what they may expect of it. */
export class Owners {
  readonly #world: World
  readonly requests: Requests
  readonly settings: PossibleSettings[]
  key = ''

  constructor(world: World) {
    this.#world = world
    this.requests = new Requests(world)
    this.settings = world.devices.rooms.map(
      ({ name }) => new PossibleSettings(world.journal, name, { target: 20, isManual: false, manual: 0 }),
    )
  }

  get building(): string {
    return `/v1/buildings/${this.#world.house.buildingId}`
  }

  room(room: number): string {
    return `${this.building}/rooms/${this.#world.house.roomIds[room]}`
  }

  async act(action: Action): Promise<void> {
    this.#world.fine(2000)
    this.#world.journal.note(`action ${JSON.stringify(action)}`)
    if (this.key === '') this.key = (await this.newKey('write'))?.value ?? ''
    if (this.key === '') return
    switch (action.kind) {
      case 'target':
        for (const target_temperature of action.targets) {
          await this.patch(action.room, { target_temperature }, (settings) => ({
            ...settings,
            target: target_temperature,
          }))
          await this.#world.scheduler.sleep(action.everyMs)
        }
        return this.#expectFollowed()
      case 'power': {
        const { power } = action
        const manual_power = power === null ? { enabled: false } : { enabled: true, power }
        await this.patch(action.room, { manual_power }, (settings) =>
          power === null ? { ...settings, isManual: false } : { ...settings, isManual: true, manual: power },
        )
        return this.#expectFollowed()
      }
      case 'mode': {
        const isOff = action.mode === 'off'
        await this.patch(action.room, { hvac_mode: action.mode }, (settings) =>
          isOff ? { ...settings, isManual: true, manual: 0 } : { ...settings, isManual: false },
        )
        return this.#expectFollowed()
      }
      case 'override': {
        const path = `${this.room(action.room)}/override`
        const body = { target_temperature: action.target, hours: Math.round((action.hours ?? 1) * 10) / 10 }
        await (action.hours === null ? this.#write('DELETE', path) : this.#write('PUT', path, body))
        return this.#expectFollowed()
      }
      case 'away': {
        const path = `${this.building}/away`
        const fromMs = this.#world.service.clock.now()
        const untilMs = fromMs + (action.hours ?? 0) * 3_600_000
        const body = {
          from: new Date(fromMs).toISOString(),
          until: new Date(untilMs).toISOString(),
          target_temperature: 14,
        }
        await (action.hours === null ? this.#write('DELETE', path) : this.#write('PUT', path, body))
        return this.#expectFollowed()
      }
      case 'undo':
        return this.#undo(action)
      case 'key':
        return this.#useAndRevoke()
      case 'poll':
        for (let i = 0; i < action.times; i++) await this.look()
        return
      case 'wait':
        return this.#waitForChange(this.key)
    }
  }

  newKey(permission: 'read' | 'write') {
    const { house, service, journal } = this.#world
    const row = { accountId: house.accountId, name: 'a program', permission, expiresAt: null }
    return this.requests
      .inService(({ store }) => createKey(store, service.clock, row))
      .catch((error: Error) => {
        journal.note(`no key: ${error.message}`)
        return undefined
      })
  }

  async patch(room: number, body: object, change: Change): Promise<void> {
    const settings = this.settings[room] as PossibleSettings
    settings.begin()
    settings.end(change, await this.#send(room, body))
  }

  async #send(room: number, body: object) {
    return outcomeOf(await this.requests.ask('PATCH', this.room(room), { key: this.key, body }))
  }

  /** All rooms, held against what was asked for. */
  async look(): Promise<void> {
    const before = this.settings.map(({ writes, underWay }) => ({ writes, underWay }))
    const answer = await this.requests.ask('GET', `${this.building}/rooms`, { key: this.key })
    if (answer?.status !== 200) return
    for (const [i, settings] of this.settings.entries()) {
      const shown = answer.json.find(({ id }: { id: string }) => id === this.#world.house.roomIds[i])
      const isOverlapped = before[i]?.underWay !== 0 || settings.writes !== before[i]?.writes
      if (shown && !isOverlapped) settings.shown(shown)
    }
  }

  async #write(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    await this.requests.ask(method, path, { key: this.key, ...(body && { body }) })
  }

  /** The control follows a change within seconds, unless something is wrong. */
  #expectFollowed(): void {
    const { scheduler, journal, readings, owners, service } = this.#world
    const { running } = service
    scheduler.in(
      FOLLOWED_WITHIN_MS,
      () => {
        if (!this.#world.isCalm || !this.#world.isFine || !running || service.running !== running) return
        const row = readings.db.prepare('select revised_at as r, followed_revision as f from buildings').get()
        const isNew = scheduler.nowMs - this.#lastWriteMs < FOLLOWED_WITHIN_MS
        if (row && Number(row.r) > Number(row.f) && !isNew)
          journal.violated('a change is followed', `revision ${row.r} was made more than 3 s ago, followed is ${row.f}`)
      },
      owners,
    )
    this.#world.fine(FOLLOWED_WITHIN_MS + 500)
    this.#lastWriteMs = scheduler.nowMs
  }

  #lastWriteMs = 0

  /** An undo of one of the last changes of a target, at the same time as a new one. */
  async #undo({ room, back, target }: Action & { kind: 'undo' }): Promise<void> {
    const { house, service, journal, readings } = this.#world
    const settings = this.settings[room] as PossibleSettings
    const entries = readings.db
      .prepare(
        `select sequence, old_value as old, new_value as new from change_log
         where room_id = ? and field = 'target_temperature' and actor_kind <> 'rule' order by sequence desc limit 3`,
      )
      .all(house.roomIds[room] as string) as { sequence: number; old: string; new: string }[]
    const entry = entries[back]
    if (!entry || settings.underWay > 0) return
    const isStale = entries[0]?.new !== entry.new
    const { buildingId } = house
    settings.begin()
    const undone = this.requests
      .inService(async ({ store, control }) => {
        await undoChange(store, service.clock, { buildingId, sequence: entry.sequence }, WHOLE_HOUSE)
        control(buildingId)
        return 'done' as const
      })
      .catch((error) => (error instanceof ServiceError ? ('refused' as const) : ('unknown' as const)))
    if (target !== null) settings.begin()
    const patched = target === null ? undefined : this.#send(room, { target_temperature: target })
    const outcome = (await undone) ?? 'unknown'
    const outcomeOfPatch = await patched
    journal.note(`undo ${entry.sequence} ${outcome}`)
    if (isStale && outcome === 'done')
      journal.violated('the newest change wins', `the change ${entry.sequence} was undone although a newer one stands`)
    // Whichever came first: an older change is not undone once there is a newer one.
    settings.end((settings) => ({ ...settings, target: Number(JSON.parse(entry.old)[0]) }), outcome)
    if (outcomeOfPatch && target !== null) settings.end((settings) => ({ ...settings, target }), outcomeOfPatch)
    this.#expectFollowed()
  }

  /** A program gets a key, uses it, and waits for news with it; then it is revoked. */
  async #useAndRevoke(): Promise<void> {
    const { scheduler, house, service } = this.#world
    const made = await this.newKey('read')
    if (!made) return
    const path = `${this.building}/rooms`
    const first = await this.requests.ask('GET', path, { key: made.value })
    if (!first) return
    void this.#waitForChange(made.value)
    await scheduler.sleep(2000)
    const isRevoked = await this.requests
      .inService(({ store }) => revokeKey(store, service.clock, { id: made.id, accountId: house.accountId }))
      .catch(() => undefined)
    if (!isRevoked) return
    this.requests.revoked.set(made.value, scheduler.nowMs)
    for (const where of [
      path,
      `${this.building}/state`,
      `${this.building}/state?wait=5`,
      '/v1/changes?wait=5',
      '/v1/key',
    ])
      await this.requests.ask('GET', where, { key: made.value })
    await this.requests.ask('PATCH', this.room(0), { key: made.value, body: { target_temperature: 30 } })
  }

  /** A panel: waits until something is new, and must hear of a change at once. */
  async #waitForChange(key: string): Promise<void> {
    const { journal, readings, service } = this.#world
    const path = `${this.building}/state`
    const known = await this.requests.ask('GET', path, { key })
    if (known?.status !== 200 || !known.etag) return
    this.#world.fine(1000 * WAIT_S + 2000)
    const { running } = this.#world.service
    const headers = { 'if-none-match': known.etag }
    const answer = await this.requests.ask('GET', `${path}?wait=${WAIT_S}`, { key, headers })
    if (answer?.status !== 304) return
    const now = await this.requests.ask('GET', path, { key })
    if (now?.status !== 200 || !this.#world.isCalm || this.#world.service.running !== running) return
    const row = readings.db.prepare('select max(revised_at, live_revision) as at from buildings').get()
    const changedMs = service.clock.now() - Number(row?.at)
    if (now.etag !== known.etag && changedMs > HEARD_WITHIN_MS)
      journal.violated(
        'a change wakes who waits for it',
        `the state changed ${changedMs} ms before the answer, which was 304`,
      )
  }
}

/** A refusal changes nothing; an error of the database may have come too late. */
function outcomeOf(answer: Answer | undefined): 'done' | 'refused' | 'unknown' {
  if (answer === undefined || answer.status >= 500) return 'unknown'
  return answer.status < 300 ? 'done' : 'refused'
}
