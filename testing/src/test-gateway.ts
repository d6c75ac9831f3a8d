import { randomBytes } from 'node:crypto'
import { DOWN, downTopic, parsePayload, type UP, upTopic } from '@hypocaust/domain'
import type { Static } from 'typebox'
import type { Party } from './party.ts'

type DownName = keyof typeof DOWN
type Said<Name extends DownName> = Static<(typeof DOWN)[Name]>

/** A gateway as anybody with its id and token could build it: it says what the test wants, and hears its topics. */
export class TestGateway {
  readonly id: string
  readonly party: Party
  readonly boot = randomBytes(4).toString('hex')
  #n = 0

  constructor(id: string, party: Party) {
    this.id = id
    this.party = party
  }

  say(name: keyof typeof UP, message: object | string, retain = false): void {
    this.party.say(upTopic(this.id, name), message, retain)
  }

  /** Resolves when the broker has taken it. */
  async sayRaw(topic: string, payload: string | Buffer, options: { qos?: 0 | 1; retain?: boolean } = {}) {
    await this.party.client.publishAsync(topic, payload, { qos: 1, ...options })
  }

  /** The number of the message, by which its commit is known. */
  sendReadings(readings: unknown[], { backfill = false, n = ++this.#n, boot = this.boot } = {}): number {
    this.say('readings', { boot, n, backfill, readings })
    return n
  }

  /** Sends and waits until the service says that it has them. */
  async deliver(readings: unknown[], options: { backfill?: boolean; n?: number; boot?: string } = {}): Promise<void> {
    const n = this.sendReadings(readings, options)
    await this.commit(n, options.boot)
  }

  async commit(n: number, boot = this.boot): Promise<void> {
    await this.hear('commit', (commit) => commit.boot === boot && commit.n === n)
  }

  heard<Name extends DownName>(name: Name): Said<Name>[] {
    return this.party.heard
      .filter(({ topic }) => topic === downTopic(this.id, name))
      .map(({ text }) => said(name, text))
  }

  hear<Name extends DownName>(name: Name, accept: (message: Said<Name>) => boolean = () => true): Promise<Said<Name>> {
    return this.party.until((heard) =>
      heard
        .filter(({ topic }) => topic === downTopic(this.id, name))
        .map(({ text }) => said(name, text))
        .find(accept),
    )
  }

  forget(): void {
    this.party.heard.length = 0
  }

  leave(): Promise<void> {
    return this.party.leave()
  }
}

function said<Name extends DownName>(name: Name, text: string): Said<Name> {
  const parsed = parsePayload(DOWN[name], Buffer.from(text))
  if (!parsed.ok) throw new Error(`the service said on ${name}: ${text}`)
  return parsed.value as Said<Name>
}

export const reading = (id: string, temperature: number, at: number | string, rest: object = {}) => ({
  id,
  temperature,
  timestamp: typeof at === 'string' ? at : new Date(at).toISOString(),
  ...rest,
})
