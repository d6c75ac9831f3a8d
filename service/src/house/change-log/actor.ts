import { AsyncLocalStorage } from 'node:async_hooks'
import type { ActorKind, Role } from '@hypocaust/domain'

/** Who or what makes a change. */
export interface Actor {
  kind: ActorKind
  /** Address of a person, name of a key or gateway; empty where the kind says it all. */
  name: string
  /** Of a person in the building, where one is named. */
  role?: Role
  /** Of a person, or of the holder of a key. */
  accountId?: string
}

/** A program that works on the database itself, past all doors. */
const COMMAND: Actor = { kind: 'command', name: '' }

const current = new AsyncLocalStorage<Actor>()

/** Every change that `work` makes is logged as made by this actor. */
export const actingAs = <T>(actor: Actor, work: () => T): T => current.run(actor, work)

export const actorNow = (): Actor => current.getStore() ?? COMMAND
