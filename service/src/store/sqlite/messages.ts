// What crosses between the main thread and the writer's. Every object is copied with the names of its members, so many
// small ones become a few lists, and a text of SQL crosses once however often it runs.
import type { StoreErrorKind } from '../store.ts'
import type { Statement, StatementResult } from './connection.ts'

export interface StatementBatch {
  statements: Statement[]
  limits: { count: Statement; most: number; name: string }[]
}

export interface Job extends StatementBatch {
  id: number
}

export type Answer =
  | { id: number; results: StatementResult[] }
  | { id: number; error: { kind: StoreErrorKind; message: string } }

export interface PackedJobs {
  texts: string[]
  /** Of each job its id and how many statements; of each of those the place of its text and how many parameters. */
  numbers: number[]
  parameters: unknown[]
  /** Few jobs have any. */
  limits: { id: number; limits: StatementBatch['limits'] }[]
}

export interface PackedAnswers {
  /** Of each job that was carried out its id, how many results, and how many rows each has changed. */
  numbers: number[]
  /** Few statements return any. */
  rows: { id: number; place: number; rows: StatementResult['rows'] }[]
  errors: Extract<Answer, { error: unknown }>[]
}

export function packJobs(jobs: Job[]): PackedJobs {
  const places = new Map<string, number>()
  const packed: PackedJobs = { texts: [], numbers: [], parameters: [], limits: [] }
  const placeOf = (sql: string): number => {
    const known = places.get(sql)
    if (known !== undefined) return known
    places.set(sql, packed.texts.length)
    return packed.texts.push(sql) - 1
  }
  for (const { id, statements, limits } of jobs) {
    packed.numbers.push(id, statements.length)
    for (const { sql, parameters } of statements) {
      packed.numbers.push(placeOf(sql), parameters.length)
      for (const parameter of parameters) packed.parameters.push(parameter)
    }
    if (limits.length > 0) packed.limits.push({ id, limits })
  }
  return packed
}

export function unpackJobs({ texts, numbers, parameters, limits }: PackedJobs): Job[] {
  const jobs: Job[] = []
  const left = new Numbers(numbers)
  let parametersRead = 0
  const statement = (): Statement => {
    const sql = texts[left.next()] as string
    const from = parametersRead
    parametersRead += left.next()
    return { sql, parameters: parameters.slice(from, parametersRead) }
  }
  while (left.isLeft) jobs.push({ id: left.next(), statements: times(left.next(), statement), limits: [] })
  for (const { id, limits: own } of limits) jobs.find((job) => job.id === id)?.limits.push(...own)
  return jobs
}

export function packAnswers(answers: Answer[]): PackedAnswers {
  const packed: PackedAnswers = { numbers: [], rows: [], errors: [] }
  for (const answer of answers) {
    if ('error' in answer) {
      packed.errors.push(answer)
      continue
    }
    const { id, results } = answer
    packed.numbers.push(id, results.length)
    results.forEach(({ affectedRows, rows }, place) => {
      packed.numbers.push(affectedRows)
      if (rows.length > 0) packed.rows.push({ id, place, rows })
    })
  }
  return packed
}

export function unpackAnswers({ numbers, rows, errors }: PackedAnswers): Answer[] {
  const answers: Answer[] = []
  const left = new Numbers(numbers)
  const result = (): StatementResult => ({ affectedRows: left.next(), rows: [] })
  while (left.isLeft) {
    const id = left.next()
    const results = times(left.next(), result)
    for (const own of rows) if (own.id === id) (results[own.place] as StatementResult).rows = own.rows
    answers.push({ id, results })
  }
  return [...answers, ...errors]
}

class Numbers {
  readonly #numbers: number[]
  #at = 0

  constructor(numbers: number[]) {
    this.#numbers = numbers
  }

  get isLeft(): boolean {
    return this.#at < this.#numbers.length
  }

  next(): number {
    return this.#numbers[this.#at++] as number
  }
}

function times<T>(count: number, make: () => T): T[] {
  const made: T[] = []
  for (let i = 0; i < count; i++) made.push(make())
  return made
}
