import type { ScreedStep, ScreedTrouble } from '@hypocaust/domain/facts'

/** What a record says, each with its time. Temperatures in °C, times as RFC 3339. */
export type Entry = { at: string } & (
  | {
      kind: 'started'
      building: string
      programme: string
      steps: ScreedStep[]
      rooms: string[]
      loops: number
      restart_after_hours: number | null
      by: string
    }
  | { kind: 'step'; step: number; supply_c: number; hours: number }
  /** The water between two times; null where none was measured. */
  | {
      kind: 'measured'
      from: string
      set: number
      mean: number | null
      least: number | null
      most: number | null
      readings: number
    }
  | { kind: 'deviation'; because: ScreedTrouble; set: number; measured: number | null }
  | {
      kind: 'deviation_ended'
      because: ScreedTrouble
      since: string
      minutes: number
      worst_k: number
      is_long: boolean
    }
  /** The service did not run: of this time nothing is known. */
  | { kind: 'gap'; from: string }
  | { kind: 'restarted'; stood_minutes: number }
  | { kind: 'ended'; because: 'finished' | 'stopped'; held_hours: number; by: string | null }
)

/** Without the time that every entry has. */
export type EntryOf = Entry extends infer E ? (E extends Entry ? Omit<E, 'at'> : never) : never
