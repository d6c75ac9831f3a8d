import { CAUSES } from '@hypocaust/domain'
import { columns } from '../columns.ts'
import { DAYS, FAULTS, HEALTHY, isFault } from './faults.ts'
import type { Look } from './look.ts'

/** Each faulty room by what is said of it at the end, and after how many days it was first named rightly. */
export function confusionTable(looks: Look[]): string {
  const faulty = looks.filter(({ expected }) => expected !== null)
  const rows = FAULTS.flatMap((fault) => {
    const rooms = roomsOf(faulty.filter(({ condition }) => condition === fault))
    if (rooms.length === 0) return []
    const last = rooms.map((room) => room.at(-1)?.named?.cause ?? null)
    const days = rooms
      .flatMap((room) => room.find(({ named, expected }) => named?.cause === expected)?.faultyDays ?? [])
      .toSorted((a, b) => a - b)
    const counts = [...CAUSES, null].map((cause) => last.filter((each) => each === cause).length)
    return [
      [fault, ...counts.map((count) => (count === 0 ? '·' : String(count))), middle(days), String(days.at(-1) ?? '–')],
    ]
  })
  const numbers = CAUSES.map((_, i) => String(i + 1))
  const head = ['fault, rooms by what is said in the end', ...numbers, 'silent', 'days until named, median', 'most']
  const legend = CAUSES.map((cause, i) => `${i + 1} ${cause}`).join(', ')
  return `\n${columns([head, ...rows])}\n  ${legend}`
}

const middle = (days: number[]) => String(days[Math.floor(days.length / 2)] ?? '–')

/** Rooms in which nothing is wrong: every diagnosis is a false one. */
export function healthyTable(looks: Look[]): string {
  const rows = HEALTHY.flatMap((condition) => {
    const some = looks.filter((look) => look.condition === condition)
    const houses = new Set(some.map(({ seed }) => seed)).size
    if (houses === 0) return []
    const falseOnes = some.filter(({ named }) => named !== null)
    const where = falseOnes.map(({ seed, room, day, named }) => `${seed}.${room} day ${day} ${named?.cause}`)
    return [[condition, String((houses * DAYS) / 7), String(some.length), String(falseOnes.length), where.join(', ')]]
  })
  const beside = looks.filter(({ condition, expected }) => isFault(condition) && expected === null)
  const falseBeside = beside.filter(({ named }) => named !== null)
  const besideRow = ['healthy rooms of faulty houses', '–', String(beside.length), String(falseBeside.length), '']
  const head = ['nothing wrong', 'house-weeks', 'looks at a room', 'false diagnoses', 'where']
  return `\n${columns([head, ...rows, ...(beside.length > 0 ? [besideRow] : [])])}`
}

const BINS = [0.7, 0.8, 0.9, 0.96, 1.01]

/** Whether what is said with a probability is right as often. */
export function calibrationTable(looks: Look[]): string {
  const rows = BINS.slice(1).map((most, i) => {
    const least = BINS[i] as number
    const named = looks.filter(({ named: one }) => one && one.probability >= least && one.probability < most)
    const right = named.filter(({ named: one, expected }) => one?.cause === expected)
    const said = named.reduce((sum, { named: one }) => sum + (one?.probability ?? 0), 0) / named.length
    const share = (value: number) => (named.length === 0 ? '–' : value.toFixed(2))
    return [`${least} to ${Math.min(1, most)}`, String(named.length), share(said), share(right.length / named.length)]
  })
  return `\n${columns([['probability', 'diagnoses', 'said', 'right'], ...rows])}`
}

function roomsOf(looks: Look[]): Look[][] {
  return [...Map.groupBy(looks, ({ seed, room }) => `${seed}.${room}`).values()]
}
