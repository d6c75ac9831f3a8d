import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../base/json.ts'
import type { RelayOutput } from './driver.ts'
import { autoOffExists } from './relay.ts'

export type AutoOff = 'proven' | 'unproven' | 'none'

/** Which relays have been seen to switch off by themselves, in a file beside the buffer; `test --auto-off` writes it. */
export class AutoOffProofs {
  readonly #folder: string
  #proven: Record<string, string> = {}

  constructor(folder: string) {
    this.#folder = folder
    this.read()
  }

  /** A test may have been run since. */
  read(): void {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#file, 'utf8'))
      this.#proven = isObject(value)
        ? Object.fromEntries(
            Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
          )
        : {}
    } catch {
      this.#proven = {}
    }
  }

  isProven(relay: RelayOutput): boolean {
    return keyOf(relay) in this.#proven
  }

  of(relay: RelayOutput, normally: 'closed' | 'open'): AutoOff {
    if (!autoOffExists(relay, normally)) return 'none'
    return this.isProven(relay) ? 'proven' : 'unproven'
  }

  /** Whole or not at all: a running agent reads it. */
  write(relay: RelayOutput, isProven: boolean, at: Date): void {
    this.read()
    const { [keyOf(relay)]: _, ...others } = this.#proven
    this.#proven = isProven ? { ...others, [keyOf(relay)]: at.toISOString() } : others
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#proven, null, 2)}\n`)
    renameSync(`${this.#file}.new`, this.#file)
  }

  get #file(): string {
    return join(this.#folder, 'auto-off.json')
  }
}

const keyOf = ({ driver, topic, output }: RelayOutput): string => `${driver} ${topic} ${output}`
